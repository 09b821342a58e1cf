<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message numerus="yes">
        <source>The record is intact: %n calls.</source>
        <translation>
            <numerusform>The record is intact: %n call.</numerusform>
            <numerusform>The record is intact: %n calls.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The record is intact: %n calls. Only the text of deleted chats is gone.</source>
        <translation>
            <numerusform>The record is intact: %n call. Only the text of deleted chats is gone.</numerusform>
            <numerusform>The record is intact: %n calls. Only the text of deleted chats is gone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ActivityViewModel</name>
    <message numerus="yes">
        <source>%n steps exported to {name}.</source>
        <translation>
            <numerusform>%n step exported to {name}.</numerusform>
            <numerusform>%n steps exported to {name}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Approval</name>
    <message numerus="yes">
        <source>Continue after %n tool calls?</source>
        <translation>
            <numerusform>Continue after %n tool call?</numerusform>
            <numerusform>Continue after %n tool calls?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This result contains %n secrets</source>
        <translation>
            <numerusform>This result contains %n secret</numerusform>
            <numerusform>This result contains %n secrets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>%n chapters</source>
        <translation>
            <numerusform>%n chapter</numerusform>
            <numerusform>%n chapters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pages</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sheets</source>
        <translation>
            <numerusform>%n sheet</numerusform>
            <numerusform>%n sheets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slides</source>
        <translation>
            <numerusform>%n slide</numerusform>
            <numerusform>%n slides</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Calls</name>
    <message numerus="yes">
        <source>%n lines added</source>
        <translation>
            <numerusform>%n line added</numerusform>
            <numerusform>%n lines added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines removed</source>
        <translation>
            <numerusform>%n line removed</numerusform>
            <numerusform>%n lines removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n removed</source>
        <translation>
            <numerusform>%n removed</numerusform>
            <numerusform>%n removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>New file, %n lines</source>
        <translation>
            <numerusform>New file, %n line</numerusform>
            <numerusform>New file, %n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>sent with %n secrets masked</source>
        <translation>
            <numerusform>sent with %n secret masked</numerusform>
            <numerusform>sent with %n secrets masked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatActions</name>
    <message numerus="yes">
        <source>Delete %n chats…</source>
        <translation>
            <numerusform>Delete %n chat…</numerusform>
            <numerusform>Delete %n chats…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n chats…</source>
        <translation>
            <numerusform>Export %n chat…</numerusform>
            <numerusform>Export %n chats…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Pin %n chats</source>
        <translation>
            <numerusform>Pin %n chat</numerusform>
            <numerusform>Pin %n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unpin %n chats</source>
        <translation>
            <numerusform>Unpin %n chat</numerusform>
            <numerusform>Unpin %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DeleteBar</name>
    <message numerus="yes">
        <source>Delete %n chats?</source>
        <translation>
            <numerusform>Delete %n chat?</numerusform>
            <numerusform>Delete %n chats?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportViewModel</name>
    <message numerus="yes">
        <source>%n chats exported to {name}.</source>
        <translation>
            <numerusform>%n chat exported to {name}.</numerusform>
            <numerusform>%n chats exported to {name}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them may be incomplete because the service could not be reached.</source>
        <translation>
            <numerusform>%n of them may be incomplete because the service could not be reached.</numerusform>
            <numerusform>%n of them may be incomplete because the service could not be reached.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %n chats exported</source>
        <translation>
            <numerusform>{done} of %n chat exported</numerusform>
            <numerusform>{done} of %n chats exported</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message numerus="yes">
        <source>%n models are listed.</source>
        <translation>
            <numerusform>%n model is listed.</numerusform>
            <numerusform>%n models are listed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Choose from %n providers</source>
        <translation>
            <numerusform>Choose from %n provider</numerusform>
            <numerusform>Choose from %n providers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{names} and %n more</source>
        <translation>
            <numerusform>{names} and %n more</numerusform>
            <numerusform>{names} and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundModels</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>Show %n more</numerusform>
            <numerusform>Show %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HelpPage</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportViewModel</name>
    <message numerus="yes">
        <source>%n already imported.</source>
        <translation>
            <numerusform>%n already imported.</numerusform>
            <numerusform>%n already imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats imported.</source>
        <translation>
            <numerusform>%n chat imported.</numerusform>
            <numerusform>%n chats imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chats read…</source>
        <translation>
            <numerusform>%n chat read…</numerusform>
            <numerusform>%n chats read…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n updated.</source>
        <translation>
            <numerusform>%n updated.</numerusform>
            <numerusform>%n updated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n versions of chats could not be read.</source>
        <translation>
            <numerusform>%n version could not be read.</numerusform>
            <numerusform>%n versions could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Only the latest branch of each chat was imported; %n other branches were left out.</source>
        <translation>
            <numerusform>Only the latest branch of each chat was imported; %n other branch was left out.</numerusform>
            <numerusform>Only the latest branch of each chat was imported; %n other branches were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} of %n chats could not be read.</source>
        <translation>
            <numerusform>{count} of %n chat could not be read.</numerusform>
            <numerusform>{count} of %n chats could not be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OwnTools</name>
    <message numerus="yes">
        <source>on: %n tools</source>
        <translation>
            <numerusform>on: %n tool</numerusform>
            <numerusform>on: %n tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReleaseAnswers</name>
    <message numerus="yes">
        <source>Send with %n secrets</source>
        <translation>
            <numerusform>Send with %n secret</numerusform>
            <numerusform>Send with %n secrets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rules</name>
    <message numerus="yes">
        <source>%n would have run without asking</source>
        <translation>
            <numerusform>%n would have run without asking</numerusform>
            <numerusform>%n would have run without asking</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Allow {what} for %n minutes?</source>
        <translation>
            <numerusform>Allow {what} for %n minute?</numerusform>
            <numerusform>Allow {what} for %n minutes?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Allow {what} for the next %n calls?</source>
        <translation>
            <numerusform>Allow {what} for the next %n call?</numerusform>
            <numerusform>Allow {what} for the next %n calls?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For %n minutes</source>
        <translation>
            <numerusform>For %n minute</numerusform>
            <numerusform>For %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>For the next %n calls</source>
        <translation>
            <numerusform>For the next %n call</numerusform>
            <numerusform>For the next %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tried on your last %n calls</source>
        <translation>
            <numerusform>Tried on your last %n call</numerusform>
            <numerusform>Tried on your last %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>one chat · for %n minutes</source>
        <translation>
            <numerusform>one chat · for %n minute</numerusform>
            <numerusform>one chat · for %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>one chat · {left} of %n calls left</source>
        <translation>
            <numerusform>one chat · {left} of %n call left</numerusform>
            <numerusform>one chat · {left} of %n calls left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used %n time</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>you denied %n of these</source>
        <translation>
            <numerusform>you denied %n of these</numerusform>
            <numerusform>you denied %n of these</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchPane</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SecretList</name>
    <message numerus="yes">
        <source>All %n secrets</source>
        <translation>
            <numerusform>All %n secret</numerusform>
            <numerusform>All %n secrets</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SelfTest</name>
    <message numerus="yes">
        <source>%n certificate authorities of the system</source>
        <translation>
            <numerusform>%n certificate authority of the system</numerusform>
            <numerusform>%n certificate authorities of the system</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n checks completed</source>
        <translation>
            <numerusform>%n check completed</numerusform>
            <numerusform>%n checks completed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not available</source>
        <translation>
            <numerusform>%n not available</numerusform>
            <numerusform>%n not available</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{some} and %n more</source>
        <translation>
            <numerusform>{some} and %n more</numerusform>
            <numerusform>{some} and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ToolServers</name>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tools changed</source>
        <translation>
            <numerusform>%n tool changed</numerusform>
            <numerusform>%n tools changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ToolsSection</name>
    <message numerus="yes">
        <source>%n minutes</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message numerus="yes">
        <source>Show %n more lines</source>
        <translation>
            <numerusform>Show %n more line</numerusform>
            <numerusform>Show %n more lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrayIcon</name>
    <message numerus="yes">
        <source>%n unread chats</source>
        <translation>
            <numerusform>%n unread chat</numerusform>
            <numerusform>%n unread chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrialList</name>
    <message numerus="yes">
        <source>And %n more like these</source>
        <translation>
            <numerusform>And %n more like these</numerusform>
            <numerusform>And %n more like these</numerusform>
        </translation>
    </message>
</context>
</TS>
