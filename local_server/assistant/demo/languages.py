"""The languages of the demo: which one a chat is in, and the German of what the demo says."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

Language = Literal["en", "de"]

_WORD: Final = re.compile(r"[^\W\d_]+")
_GERMAN_LETTERS: Final = re.compile("[äöüß]", re.IGNORECASE)
# Words of one language that are none of the other: neither “was” nor “die”.
_OF_GERMAN: Final = (
    "alle alles auf bitte datei das dem den der diese diesem dieser du ein eine einen er es "
    "formatierung guten hallo hast hilf hilfe ich ist kann kannst kein lesen lies liste mein meine "
    "mir mit moin nach nicht oder ordner schreib schreibe sie sind suche tag und von wer wie wir "
    "wo zeig zeige zu"
)
_OF_ENGLISH: Final = (
    "a and are can file find folder for formatting from hello help hey hi how i is it list me my "
    "of open or please read run search show that the this to what where who with write you your"
)
_GERMAN_WORDS: Final = frozenset(_OF_GERMAN.split())
_ENGLISH_WORDS: Final = frozenset(_OF_ENGLISH.split())


def language_of(messages: Iterable[str]) -> Language:
    """Return the language of the first of these messages that shows one; English where none does.

    Commands show none, so all messages of the user are given, newest first.
    """
    for message in messages:
        if message.lstrip().startswith("/"):
            continue
        words = [word.casefold() for word in _WORD.findall(message)]
        german = sum(word in _GERMAN_WORDS or bool(_GERMAN_LETTERS.search(word)) for word in words)
        english = sum(word in _ENGLISH_WORDS for word in words)
        if german != english:
            return "de" if german > english else "en"
    return "en"


def say(language: Language, template: str, **values: object) -> str:
    """Return a text of the demo in a language, with its gaps filled.

    Raises:
        KeyError: the German of it is missing.
    """
    return (template if language == "en" else GERMAN[template]).format(**values)


def name_in(language: Language, name: str) -> str:
    """Return the name of an agent in a language; one that is not included stays."""
    return GERMAN.get(name, name) if language == "de" else name


SHOWCASE: Final = """\
Here is some of what a reply can hold.

## A heading, with *emphasis*, **strength** and `code`

1. First this,
2. then that:
   - with a detail,
   - and another.

| Part | What it does |
|---|---|
| Sidebar | your chats |
| Transcript | what was said |
| Composer | what you say next |

```python
def greet(name: str) -> str:
    return f"Hello, {{name}}!"
```

```mermaid
flowchart LR
    You --> Parley --> Model
```

The circle of radius *r* has the area

$$A = \\pi r^2$$

> A quotation, for words that are somebody else’s.
"""

GERMAN: Final[Mapping[str, str]] = {
    SHOWCASE: """\
Das kann unter anderem in einer Antwort stehen.

## Eine Überschrift, mit *Betonung*, **Nachdruck** und `Code`

1. Zuerst dies,
2. dann das:
   - mit einer Einzelheit,
   - und noch einer.

| Teil | Was er zeigt |
|---|---|
| Seitenleiste | Ihre Chats |
| Verlauf | was gesagt wurde |
| Eingabefeld | was Sie als Nächstes sagen |

```python
def greet(name: str) -> str:
    return f"Hallo, {{name}}!"
```

```mermaid
flowchart LR
    Sie --> Parley --> Modell
```

Der Kreis mit dem Radius *r* hat die Fläche

$$A = \\pi r^2$$

> Ein Zitat, für die Worte anderer.
""",
    "Assistant": "Assistent",
    "Files": "Dateien",
    "Writer": "Texte",
    "read notes.md": "lies notes.md",
    "list Downloads": "liste Downloads",
    "find TODO in src": "suche TODO in src",
    "read page 2 of offer.pdf": "lies Seite 2 von offer.pdf",
    "reads a file that you attached": "liest eine Datei, die Sie angehängt haben",
    "*This model cannot see images, so it has their names alone.*": (
        "*Dieses Modell kann keine Bilder sehen und bekommt nur ihre Namen.*"
    ),
    "write notes.md: some text": "schreibe notes.md: etwas Text",
    "run git status": "führe git status aus",
    "Hello! ": "Hallo! ",
    "{greeting}I am **{agent}**, played by the demo, a small program **without a language model**. "
    "Choose a model in **Settings** for real answers, or ask for *help* to see what you can try.": (
        "{greeting}Ich bin **{agent}**, gespielt von der Demo, einem kleinen Programm **ohne "
        "Sprachmodell**. Echte Antworten gibt ein Modell aus den **Einstellungen**; *Hilfe* zeigt, "
        "was sich hier ausprobieren lässt."
    ),
    "{greeting}I am **{agent}**, played by the demo. It is a small program **without a language "
    "model**: it works offline and follows fixed rules, so it cannot think about a question.\n\n"
    "Parley is a program for chats with AI assistants. They can use tools on your computer, "
    "such as reading a file, and you decide about each call before it runs.\n\n"
    "For real answers, choose a model under **Settings**, **Models**: one that runs on this "
    "computer, or one of a provider whose key you have. Or connect to a service. If you "
    "started the service yourself, `parley-server models` lists what `--model` takes.\n\n"
    "{examples}": (
        "{greeting}Ich bin **{agent}**, gespielt von der Demo. Sie ist ein kleines Programm **ohne "
        "Sprachmodell**: Sie arbeitet offline und nach festen Regeln, kann über eine Frage also "
        "nicht nachdenken.\n\n"
        "Parley ist ein Programm für Chats mit KI-Assistenten. Diese können Werkzeuge auf Ihrem "
        "Computer benutzen, zum Beispiel eine Datei lesen, und Sie entscheiden über jeden Aufruf, "
        "bevor er läuft.\n\n"
        "Für echte Antworten wählen Sie unter **Einstellungen**, **Modelle** ein Modell: eines, "
        "das auf diesem Computer läuft, oder eines von einem Anbieter, dessen Schlüssel Sie haben. "
        "Oder verbinden Sie Parley mit einem Dienst. Haben Sie den Dienst selbst gestartet, nennt "
        "`parley-server models`, was `--model` annimmt.\n\n"
        "{examples}"
    ),
    "I will use {names} and show you what comes back.": (
        "Ich benutze {names} und zeige, was zurückkommt."
    ),
    " and ": " und ",
    "That needs the tool {name}, which is not offered to me here.\n\n{examples}": (
        "Das braucht das Werkzeug {name}, das mir hier nicht angeboten wird.\n\n{examples}"
    ),
    "I cannot hand over: there is nobody else in this reply. An agent that was chosen for "
    "a message answers it alone.": (
        "Ich kann nicht übergeben: In dieser Antwort gibt es sonst niemanden. Ein Agent, der für "
        "eine Nachricht gewählt wurde, beantwortet sie allein."
    ),
    "I know no agent {name} to hand over to. ": "Einen Agenten {name} kenne ich nicht. ",
    "{unknown}The form is `/agent NAME …`, with one of these names: {names}.": (
        "{unknown}Die Form ist `/agent NAME …`, mit einem dieser Namen: {names}."
    ),
    "I hand over to **{agent}**.": "Ich übergebe an **{agent}**.",
    "I am using the skill **{skill}** (version {version}):\n\n> {description}\n\n"
    "A language model would follow its instructions now. I have none.": (
        "Ich benutze die Fähigkeit **{skill}** (Version {version}):\n\n> {description}\n\n"
        "Ein Sprachmodell würde jetzt ihren Anweisungen folgen. Ich habe keines."
    ),
    "All right, {name} was not run: “{result}”": "In Ordnung, {name} lief nicht: „{result}“",
    " This was reported:\n\n{report}\n\n": " Gemeldet wurde:\n\n{report}\n\n",
    "{name} did not work.{report}You can change the request and try again.": (
        "{name} hat nicht funktioniert.{report}Sie können die Bitte ändern und es noch einmal "
        "versuchen."
    ),
    "{name} ended without any output.": "{name} endete ohne Ausgabe.",
    "This came back from {name}:\n\n{result}": "Das kam von {name} zurück:\n\n{result}",
    "shows what a file says": "zeigt, was in einer Datei steht",
    "shows what is in a folder": "zeigt, was in einem Ordner liegt",
    "finds a word in files": "findet ein Wort in Dateien",
    "writes a file": "schreibt eine Datei",
    "runs a command": "führt einen Befehl aus",
    "- *markdown* shows how text looks": "- *markdown* zeigt, wie Text aussieht",
    "- {command} hands over to another agent": "- {command} übergibt an einen anderen Agenten",
    "- {skill} uses the skill of this name": "- {skill} benutzt die Fähigkeit dieses Namens",
    "What you can try:": "Das lässt sich ausprobieren:",
    "{examples}\n\nNo tools are offered to me here.": (
        "{examples}\n\nWerkzeuge werden mir hier nicht angeboten."
    ),
    "{examples}\n- `/tool` calls any tool by its name:\n\n{command}": (
        "{examples}\n- `/tool` ruft jedes Werkzeug mit seinem Namen auf:\n\n{command}"
    ),
    "{beginning}\n\nThat is only the beginning of {lines} lines, {letters} characters.": (
        "{beginning}\n\nDas ist nur der Anfang von {lines} Zeilen, {letters} Zeichen."
    ),
    "I could not make a tool call of that. {fault}": (
        "Daraus konnte ich keinen Werkzeugaufruf machen. {fault}"
    ),
    "At most {count} calls fit into one message.": (
        "In eine Nachricht passen höchstens {count} Aufrufe."
    ),
    "More than {count} characters are too many.": "Mehr als {count} Zeichen sind zu viele.",
    'The form is `/tool NAME {{"argument": "value"}}`.': (
        'Die Form ist `/tool NAME {{"Eingabe": "Wert"}}`.'
    ),
    "What follows the tool’s name must be JSON: {fault}.": (
        "Was auf den Namen des Werkzeugs folgt, muss JSON sein: {fault}."
    ),
    "What follows the tool’s name must be a JSON object: `{{…}}`.": (
        "Was auf den Namen des Werkzeugs folgt, muss ein JSON-Objekt sein: `{{…}}`."
    ),
    "The command has a quotation mark without its partner.": (
        "Im Befehl fehlt ein Anführungszeichen."
    ),
}
