#!/bin/sh
# enter.sh BASE COPY DOORS USER [COMMAND...]: runs the command in the clean room.
#
# BASE stays as it is: COPY/changes takes what is written. DOORS is a folder of the host that shows
# read-only at /host. Needs a mount and a process namespace of its own, which take everything along
# when they end. The root is pivoted, since no user namespace can be made inside a plain chroot.
set -eu

base=$1 copy=$2 doors=$3 user=$4
shift 4

mount --make-rprivate /
root=$copy/root
mkdir -p "$root" "$copy/changes" "$copy/work"
mount -t overlay overlay \
    -o "lowerdir=$base,upperdir=$copy/changes,workdir=$copy/work" "$root"

mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
for name in null zero full random urandom tty; do
    : >"$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir -p "$root/host" "$root/run/lock"
mount --bind "$doors" "$root/host"
mount -o remount,bind,ro "$root/host"

# How names are found, and whom to trust, is the host's matter, and no package may change it there.
show() {
    mount --bind "$(readlink -f "$1")" "$root$1"
    mount -o remount,bind,ro "$root$1"
}
for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
    [ -e "$file" ] || continue
    mkdir -p "$root${file%/*}"
    [ -e "$root$file" ] || : >"$root$file"
    show "$file"
done
if [ -d /etc/apt/auth.conf.d ]; then
    show /etc/apt/auth.conf.d
fi
if command -v ip >/dev/null; then
    # In a network of its own, at least the computer itself.
    ip link set lo up
fi

cd "$root"
mkdir -p .old
pivot_root . .old
umount --lazy /.old
rmdir /.old

home=/root
groups=--clear-groups
if [ "$user" != root ]; then
    home=/home/$user
    groups=--init-groups
fi
cd "$home"
mkdir -p "/run/user/$(id -u "$user")"
chmod 700 "/run/user/$(id -u "$user")"
chown "$user" "/run/user/$(id -u "$user")"
# Not in our place: the first process of a system is no ordinary one, and collects what others leave.
setpriv --reuid="$user" --regid="$(id -g "$user")" "$groups" \
    env -i HOME="$home" USER="$user" LOGNAME="$user" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" DEBIAN_FRONTEND=noninteractive "$@"
