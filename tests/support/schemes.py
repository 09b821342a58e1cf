"""Schemes of addresses that are never opened: of files, scripts, programs and other networks."""

import re
from typing import Final

CLOSED_SCHEMES: Final = re.findall(
    r"\S+",
    """
about acap admin afp aim app apt blob bolo calculator cap chrome chrome-extension cid content crid
data dav dict dns ed2k feed file filesystem finger ftp ftps geo git go gopher h323 help iax imap
intent irc itms jar javascript ldap ldaps magnet market mid mms ms-excel ms-msdt ms-officecmd
ms-powerpoint ms-search ms-settings ms-word mssql mumble nfs news nntp notes odbc opaquelocktoken
pkcs11 pop powershell res rtsp search-ms service sftp shell sip skype smb sms ssh steam tel telnet
tn3270 vbscript view-source vnc webcal ws wss xmpp ymsgr zoommtg
""",
)
