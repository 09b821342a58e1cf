"""Patterns of secrets with a documented form, such as the API keys of providers."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from local_tools.translation_marks import QT_TRANSLATE_NOOP

# Not in the middle of a word, but directly after an escape of JSON (`\n`) or of a URL (`%20`).
_BEFORE: Final = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"


@dataclass(frozen=True, slots=True)
class Shape:
    """The pattern of one kind of secret.

    Attributes:
        kind: The name of the kind, in English, marked for translation.
        signs: Substrings of which every match has at least one; a fast check before the pattern.
        expression: The source of `pattern`.
    """

    kind: str
    signs: tuple[str, ...]
    expression: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled pattern; its first group is the secret, else the whole match."""
        return _compiled(self.expression)


# Compiled on first use: compiling all of them would slow down every start noticeably.
_compiled = cache(re.compile)


def _token(kind: str, signs: str, pattern: str) -> Shape:
    return Shape(kind, tuple(signs.split()), f"{_BEFORE}(?:{pattern})")


def _place(kind: str, signs: str, pattern: str) -> Shape:
    return Shape(kind, tuple(signs.split()), pattern)


_AWS: Final = QT_TRANSLATE_NOOP("Secrets", "AWS key")
_GITHUB: Final = QT_TRANSLATE_NOOP("Secrets", "GitHub token")
_GITLAB: Final = QT_TRANSLATE_NOOP("Secrets", "GitLab token")
_SLACK: Final = QT_TRANSLATE_NOOP("Secrets", "Slack token")
_MODEL: Final = QT_TRANSLATE_NOOP("Secrets", "model provider key")
_GOOGLE: Final = QT_TRANSLATE_NOOP("Secrets", "Google key")
_PACKAGES: Final = QT_TRANSLATE_NOOP("Secrets", "package registry token")
_MAIL: Final = QT_TRANSLATE_NOOP("Secrets", "mail service key")
_PAYMENT: Final = QT_TRANSLATE_NOOP("Secrets", "payment service key")
_CLOUD: Final = QT_TRANSLATE_NOOP("Secrets", "cloud service key")
_CHAT: Final = QT_TRANSLATE_NOOP("Secrets", "chat service token")
_BUILD: Final = QT_TRANSLATE_NOOP("Secrets", "developer service key")
_WEB: Final = QT_TRANSLATE_NOOP("Secrets", "web token")
_SIGN_IN: Final = QT_TRANSLATE_NOOP("Secrets", "sign-in header")

_ALNUM: Final = "A-Za-z0-9"
_LOWER: Final = "a-z0-9"
_HEX: Final = "0-9a-f"
_WORD: Final = "A-Za-z0-9_-"


@dataclass(frozen=True, slots=True)
class _Known:
    """A token by its beginning, and by how many of which signs follow.

    Attributes:
        prefix: The beginning, as a pattern; `sign` is what of it stands in every such token.
        longest: Where it is 0, exactly `shortest` signs follow.
    """

    kind: str
    sign: str
    prefix: str
    alphabet: str
    shortest: int
    longest: int = 0

    @property
    def shape(self) -> Shape:
        """The form of the token, behind which no sign of its alphabet may follow."""
        counted = f"{self.shortest},{self.longest}" if self.longest else f"{self.shortest}"
        end = f"(?![{self.alphabet}])"
        return _token(self.kind, self.sign, f"{self.prefix}[{self.alphabet}]{{{counted}}}{end}")


_KNOWN: Final = (
    _Known(_MODEL, "api_org_", "api_org_", "A-Za-z", 34),
    _Known(_PACKAGES, "CLOJARS_", "CLOJARS_", _LOWER, 60),
    _Known(_PACKAGES, "packagist_", "packagist_(?:ort|out|uut|cut)_", _HEX, 68),
    # The registry of Rust: three letters that some words begin with, too.
    _Known(_PACKAGES, "cio", r"cio(?=[A-Za-z]{0,31}\d)", _ALNUM, 32),
    _Known(_MAIL, "xkeysib-", "xkeysib-[0-9a-f]{64}-", _ALNUM, 16),
    _Known(_PAYMENT, "duffel_", "duffel_(?:test|live)_", "A-Za-z0-9_=-", 43),
    _Known(_PAYMENT, "EZ", "EZ[AT]K", _ALNUM, 54),
    _Known(_PAYMENT, "FLWSECK_TEST-", "FLWSECK_TEST-", "a-h0-9", 12, 32),
    _Known(_PAYMENT, "access-",
           "access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-", _HEX, 12),
    _Known(_PAYMENT, "shippo_", "shippo_(?:live|test)_", "0-9A-Fa-f", 40),
    _Known(_CLOUD, "cf", "cf(?:k|ut|at)_", _WORD, 40, 64),
    _Known(_CLOUD, "v1.0-", r"v1\.0-[0-9a-f]{24}-", _HEX, 146),
    _Known(_CLOUD, "dp.pt.", r"dp\.pt\.", _ALNUM, 43),
    _Known(_CLOUD, "fo1_", "fo1_", _WORD, 43),
    _Known(_CLOUD, "fm1 fm2_", "fm(?:1[ar]|2)_", "A-Za-z0-9+/=", 100, 4000),
    _Known(_CLOUD, "HRKU-AA", "HRKU-AA", _WORD, 58),
    _Known(_CLOUD, "pscale_", "pscale_(?:tkn|oauth|pw)_", r"\w=.-", 32, 64),
    _Known(_CLOUD, "hvb.", r"hvb\.", _WORD, 138, 300),
    _Known(_CLOUD, "sha256~", "sha256~", _WORD, 43),
    _Known(_CLOUD, "tk-us-", "tk-us-", _WORD, 48),
    _Known(_CLOUD, "AQVN", "AQVN", _WORD, 35, 38),
    _Known(_CLOUD, "dnkey-", "dnkey-[a-z0-9=_-]{26}-", "a-z0-9=_-", 52),
    _Known(_CLOUD, "p8e-", "p8e-", _ALNUM, 32),
    _Known(_CHAT, "EAA", "EAA[MC]", _ALNUM, 100, 400),
    _Known(_BUILD, "pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.", _ALNUM, 20),
    _Known(_BUILD, "pnu_", "pnu_", _ALNUM, 36),
    _Known(_BUILD, "ico-", "ico-", _ALNUM, 32),
    _Known(_BUILD, "glc_", "glc_", "A-Za-z0-9+/=", 32, 400),
    _Known(_BUILD, "rdme_", "rdme_", _LOWER, 70),
    _Known(_BUILD, "sntryu_", "sntryu_", _HEX, 64),
    _Known(_BUILD, "sgp_", "sgp_(?:(?:[0-9A-Fa-f]{16}|local)_)?", "0-9A-Fa-f", 40),
    _Known(_BUILD, "NRII-", "NRII-", "A-Za-z0-9-", 32),
    _Known(_BUILD, "NRJS-", "NRJS-", _HEX, 19),
    _Known(_BUILD, "API-", r"API-(?=[A-Z]{0,25}\d)", "A-Z0-9", 26),
    _Known(_BUILD, "sm_", "sm_[aps]at_", _ALNUM, 16),
    _Known(_BUILD, "ops_eyJ", "ops_eyJ", "A-Za-z0-9+/=", 250, 4000),
    _Known(_BUILD, "A3-",
           "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){2}-",
           "A-Z0-9", 5),
    _Known(_BUILD, "fio-u-", "fio-u-", "A-Za-z0-9_=-", 64),
    _Known(_BUILD, "tfp_", "tfp_", "A-Za-z0-9_.=-", 59),
    _Known(_BUILD, "s-s4t2", "s-s4t2(?:ud|af)-", _HEX, 64),
    _Known(_BUILD, "_mmk", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mm", "k", 1),
)  # fmt: skip

TOKENS: Final = (
    *(known.shape for known in _KNOWN),
    _token(_AWS, "AKIA ASIA ABIA ACCA AROA AIDA A3T",
           r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Z0-9])"),
    _token(_GITHUB, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
           r"gh[pousr]_[A-Za-z0-9_]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"),
    _token(_GITLAB, "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- gloas- glimt- glagent- GR13",
           r"gl(?:pat|dt|ft|soat|rt|cbt|ptt|oas|imt|agent|ffct)-[A-Za-z0-9_-]{20,1024}"
           r"|GR1348941[A-Za-z0-9_-]{20,64}"),
    _token(_SLACK, "xox xapp-",
           r"xox[abeoprs]-[A-Za-z0-9-]{10,900}|xapp-\d-[A-Za-z0-9-]{10,300}"),
    _token(_MODEL, "sk- hf_ gsk_ xai- pplx- r8_",
           r"sk-(?:ant-|proj-|svcacct-|admin-)?(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{20,255}"
           r"|hf_[A-Za-z0-9]{30,64}|gsk_[A-Za-z0-9]{40,64}|xai-[A-Za-z0-9]{60,100}"
           r"|pplx-[A-Za-z0-9]{40,64}|r8_[A-Za-z0-9]{36,44}"),
    _token(_GOOGLE, "AIza ya29. GOCSPX-",
           r"AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,512}|GOCSPX-[A-Za-z0-9_-]{20,64}"),
    _token(_PACKAGES, "npm_ pypi-Ag AKC AP rubygems_ dckr_pat_",
           r"npm_[A-Za-z0-9]{36}|pypi-Ag[A-Za-z0-9_-]{50,512}|AKC[A-Za-z0-9]{10,255}"
           r"|AP[0-9A-F](?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{8,255}|AP\d[A-Za-z0-9]{8,255}|rubygems_[0-9a-f]{48}|dckr_pat_[A-Za-z0-9_-]{27}"),
    _token(_MAIL, "SG. key- -us",
           r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}|key-[0-9a-f]{32}"
           r"|[0-9a-z]{32}-us\d{1,2}(?!\d)"),
    _token(_PAYMENT, "sk_ rk_ whsec_ sq0 shpat_ shpca_ shppa_ shpss_",
           r"(?:sk|rk|whsec)_(?:live_|test_)?(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{16,255}"
           r"|sq0[a-z]{3}-[A-Za-z0-9_\\-]{22,43}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _token(_CLOUD, "dop_v1_ doo_v1_ dor_v1_ dapi hvs. tskey- atlasv1. LTAI Q~",
           r"do[opr]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}|hvs\.[A-Za-z0-9_-]{24,255}"
           r"|tskey-[a-z]{2,12}-[A-Za-z0-9-]{12,80}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"
           r"|LTAI[A-Za-z0-9]{12,24}|[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    _token(QT_TRANSLATE_NOOP("Secrets", "Twilio key"), "SK AC",
           r"(?:SK|AC)[0-9a-z]{32}(?![0-9a-z])"),
    _token(_CHAT, ".", r"[A-Z][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
    _token(_CHAT, ":", r"\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    # In an address of its maker's, "bot" stands before it.
    _place(_CHAT, "bot", r"bot(\d{8,10}:AA[A-Za-z0-9_-]{33})"),
    _token(_BUILD, "lin_ ntn_ glsa_ NRAK- PMAK- sntrys_ figd_ CCIPAT_ ATATT3x sbp_ dt0c01. pul-",
           r"lin_api_[A-Za-z0-9]{40}|ntn_[A-Za-z0-9]{40,60}|glsa_[A-Za-z0-9_]{32,64}"
           r"|NRAK-[A-Z0-9]{27}|PMAK-[A-Za-z0-9-]{50,80}|sntrys_[A-Za-z0-9_=+/-]{40,255}"
           r"|figd_[A-Za-z0-9_-]{36,64}|CCIPAT_[A-Za-z0-9_]{40,80}|ATATT3x[A-Za-z0-9_=-]{60,255}"
           r"|sbp_[0-9a-f]{40}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|pul-[0-9a-f]{40}"),
    _token(QT_TRANSLATE_NOOP("Secrets", "age encryption key"), "AGE-",
           r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _token(QT_TRANSLATE_NOOP("Secrets", "Parley key"), "pk_",
           r"pk_(?:live|test)_[A-Za-z0-9_-]{16,255}"),
    _token(_WEB, "eyJ",
           r"eyJ[A-Za-z0-9_=-]{8,2000}\.eyJ[A-Za-z0-9_=-]{4,4000}(?:\.[A-Za-z0-9_=-]{0,2000})?"),
    _place(_CHAT, "hooks.slack.com", r"hooks\.slack\.com/services/([A-Za-z0-9/_-]{20,900})"),
    _place(_CHAT, "webhook.office.com",
           r"webhook\.office\.com/webhookb2/([0-9a-z@-]{36,80}/IncomingWebhook/[0-9a-z/-]{32,90})"),
    _place(_CHAT, "/api/webhooks/",
           r"discord(?:app)?\.com/api/webhooks/(\d{5,25}/[\w-]{20,100})"),
    _place(_CLOUD, "cl",
           r"(?i:(?:cloudant|clou|cl)[_-]?(?:api)?[_-]?(?:key|pwd|pw|password|pass|token))"
           r"[\"'\]]{0,2} {0,9}(?:=>|:=|::|[:=]) {0,9}[\"']?"
           r"([a-z]{24}|[0-9a-f]{64})(?![A-Za-z0-9])"),
    _place(_CLOUD, "softlayer", r"softlayer\.com/soap/v[\d.]{1,4}/([a-z0-9]{64})"),
    _place(_CLOUD, "AccountKey SharedAccessKey",
           r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=]{20,120})"),
    _place(QT_TRANSLATE_NOOP("Secrets", "password in an address"), "://",
           r"://[^\s/:@\"'<>]{0,100}:(?![{<%*\[]|\$[{A-Z_(])([^\s/@\"'<>]{1,200})@"),
    _place(_PACKAGES, "_auth",
           r"(?<![A-Za-z0-9])_auth(?:Token)?[ \t]{0,3}=[ \t]{0,3}[\"']?([^\s\"'$]{8,500})"),
    _place(_SIGN_IN, "uthorization UTHORIZATION",
           r"(?i:authorization)[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?"
           r"(?i:bearer|basic|token|digest|apikey)[ \t]{1,3}([A-Za-z0-9+/=_.~:-]{6,2000})"),
    _place(_SIGN_IN, "uthorization UTHORIZATION api-key Api-Key API-Key API-KEY",
           r"(?i:authorization|x-api-key)[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?"
           r"(?=[A-Za-z+/=_.~:-]{0,60}\d)([A-Za-z0-9+/=_.~:-]{8,2000}+)(?!\()"),
    _place(_SIGN_IN, "earer EARER",
           r"(?i:\bbearer[ \t]{1,3})(?=[A-Za-z+/=_.~-]{0,60}\d)([A-Za-z0-9+/=_.~-]{20,2000})"),
)  # fmt: skip
