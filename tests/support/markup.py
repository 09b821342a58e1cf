"""Text that would draw, hide, run or open something if anything took it for more than text."""

import re
from typing import Final

MARKUP: Final = (
    "<b>bold</b>",
    "<i>slanted</i>",
    "<u>under</u>",
    "<br>",
    "echo ok<br><br><br><br>; rm -rf ~",
    "<p>one</p><p>two</p>",
    "<h1>Allowed</h1>",
    "<font size=1 color=white>hidden</font>",
    "<font color='#ffffff'>white on white</font>",
    "<span style='font-size:1px'>tiny</span>",
    "<span style='color:transparent'>unseen</span>",
    "<img src='file:///etc/hostname'>",
    "<img src='http://127.0.0.1:9/x.png'>",
    "<img src=x onerror=alert(1)>",
    "<a href='https://example.org'>https://example.com</a>",
    "<a href='file:///etc/passwd'>a file</a>",
    "<a href='javascript:alert(1)'>click</a>",
    "<script>alert(1)</script>",
    "<style>*{color:white}</style>",
    "<table><tr><td>cell</td></tr></table>",
    "<ul><li>item</li></ul>",
    "<pre>   spaces   </pre>",
    "<code>rm -rf</code>",
    "<hr>",
    "<div align=right>right</div>",
    "<center>middle</center>",
    "<blockquote>quoted</blockquote>",
    "<sub>low</sub><sup>high</sup>",
    "<s>struck out</s>",
    "<body bgcolor=black text=black>dark</body>",
    "<html><head><title>t</title></head></html>",
    "<!-- unseen -->after",
    "<!DOCTYPE html><p>x",
    "<?xml version='1.0'?><a/>",
    "<![CDATA[raw]]>",
    "<qt>rich</qt>",
    "<nobr>all on one line</nobr>",
    "<svg onload=alert(1)></svg>",
    "<iframe src='file:///'></iframe>",
    "<object data='file:///'></object>",
    "<input type=submit value=Allow>",
    "<button>Allow once</button>",
    "<marquee>moving</marquee>",
    "<math><mi>x</mi></math>",
    "&lt;b&gt;already escaped&lt;/b&gt;",
    "&amp;&#60;&#x3c;",
    "&nbsp;&nbsp;&nbsp;blank",
    "R&D &Allow",
    "**bold** _slanted_ `code`",
    "# Heading",
    "[link](https://example.org)",
    "![picture](file:///etc/hostname)",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```\ncode\n```",
    "$x^2$ \\(y\\)",
    "%s %d %(name)s",
    "{0} {name} {{x}}",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "< b >not quite</ b >",
)


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
