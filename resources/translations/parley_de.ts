<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley is free software under the Apache License 2.0. It ships with the typefaces Inter and JetBrains Mono (SIL Open Font License 1.1) and with icons of Lucide (ISC License).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AgentPicker</name>
    <message>
        <source>Agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AppearanceSection</name>
    <message>
        <source>Changes at once. System follows what your desktop shows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Approval</name>
    <message>
        <source>List a folder on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a file on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run a program on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell the assistant the time?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use “{tool}” on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a file on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acts on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes with Parley</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs a program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs in its own process with your rights, without a sandbox</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ApprovalCard</name>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ApprovalDock</name>
    <message>
        <source>Waiting for your decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your decision is needed: {0} Press F6.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardAnswers</name>
    <message>
        <source>Allow once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deny</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deny…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason for denying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason, if you like – the assistant is told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scroll through all of it to allow</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardBody</name>
    <message>
        <source>What would run</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardContents</name>
    <message>
        <source>And {0} more words like these.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} characters, {1} lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}; {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” contains letters that only look like plain ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” looks Latin but is written in another alphabet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” mixes letters of different alphabets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” reads from right to left.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Catalog</name>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whoever fits the message answers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chat</name>
    <message>
        <source>Ask for something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not connected yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply, or ask for something else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chat was deleted on the service</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for your decision above</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Hide skills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show skills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the list of chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Choose a folder for this chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a reply is coming in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not read yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>A tool waits for your decision. Sending this now declines it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter to queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter to send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only text can be put in here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send after this reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComposerNote</name>
    <message>
        <source>Close this note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decline it and send</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectionSection</name>
    <message>
        <source>A hosted project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model counts as soon as you choose it, a project once its test succeeds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A service somewhere else, with its address and a project key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in this computer’s keyring, never in a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Service address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test and use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Testing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bundled service, with one of the models found here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where Parley connects</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectionViewModel</name>
    <message>
        <source>Local service</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key not accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message>
        <source>Previous 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeleteBar</name>
    <message>
        <source>Delete for ever</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “{title}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service removes it for ever, with everything kept here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message>
        <source>Ask for anything. If the assistant needs a file or a command on this computer, you see exactly what would run, and nothing runs before you allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would you like to do?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>A damaged file was put aside as {path}. Parley began a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A newer version of this program keeps its chats here, so they were left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program holds the file in which chats are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats cannot be kept: the data folder cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit reached. Next try in {seconds} s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit reached. Wait a moment and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No keyring was found, so the key is kept until Parley closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing answers at {host}. The service may not be running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing more came for {seconds} s, so the reply is incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley is not connected yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something unexpected happened. It was noted in the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before this message was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address {host} could not be found. Check the address and your network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer from {host} could not be understood. Check the address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is too large to be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen agent is not available any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to {host} is not secure, so nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost and the reply is incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost before an answer came.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost in the middle of this reply. What arrived is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full, so this could not be kept. What was kept before is safe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file in which chats are kept is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key for {host} is not in this computer’s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The message reached the service, but there is no reply to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy did not let the connection to {host} through.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The record of tool calls cannot be opened, so nothing can be sent: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reply came in a form that cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The reply was too large and was cut.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result of the tool is kept, but did not reach the service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The result of the tool may not have reached the service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service answered for another conversation, so the reply was not used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service could not finish this reply: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service did not accept this: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service does not accept this project key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service does not know this request. The address may belong to something else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service had a problem of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service no longer waits for the result of this tool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service on this computer keeps stopping. It said: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service on this computer stopped and is starting again. Nothing was lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service points to another address, {target}. Nothing was sent there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service refused this: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The service took too long to answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings could not be written, so nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings could not be written, so the change lasts until Parley closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tool was not run, because the record of tool calls cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to send yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This conversation is still answering an earlier message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This conversation no longer exists on the service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is all that the service has of this reply. It may have been cut off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is larger than the service accepts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a conversation id, so nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message did not reach the service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message may have reached the service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message was not sent yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This reply is shown, but cannot be kept on this computer at the moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This service does not start new conversations here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} cannot be reached from this network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{host} did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is larger than {limit_kb} kB, so it was not added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not a text file, so it was not added.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Enter the project key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the service address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out the name and password before the @.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out what follows the path: “?”, “#”, “//” and “..” cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The address begins with https://</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The port is a number from 1 to 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a character in the address that cannot be in one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a character in the key that cannot be in one. Copy it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a space or line break in the key. Copy it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is longer than a key can be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a host that can be asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use https://, so that nobody on the way can read your key.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>A built-in demonstration assistant: no model, no network. It shows tools and approvals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A hosted project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in this computer’s keyring, never in a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Service address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start chatting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts the bundled service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it offline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where should Parley connect?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have a service address and a project key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your key stays in this computer’s keyring. You can change this later.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FolderChip</name>
    <message>
        <source>Change folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop using this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder that tools work in</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Address of the link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a page on {host}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley opens web pages and mail addresses only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This host has letters that may look like others: {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What stands before the @ is not where this link leads.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Open settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Back to the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SetupViewModel</name>
    <message>
        <source>Connected. No keyring was found, so the key is kept until Parley closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected. The key is in this computer’s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in this computer’s keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept until Parley closes: no keyring was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley now talks to the service on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts the bundled service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Starts the bundled service. Models found: %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Starts the bundled service. No model was found on this computer yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no key for this project on this computer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>1 message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chats yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you ask first becomes a chat here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SkillsPanel</name>
    <message>
        <source>Skills</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This project has no skills.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StartFailure</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parley cannot start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusFoot</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test key</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Current time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List what is in a folder: names, kinds and sizes. Links are named, not followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read a text file (UTF-8). Of a long one, the first 255 KiB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run a program in the chat&apos;s folder and return what it writes.

There is no shell: no pipes, no wildcards, no variables.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell the current date and time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a text file (UTF-8): make a new one or replace all of an existing one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not exist yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outside this chat&apos;s folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsChip</name>
    <message>
        <source>1 tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools that the assistant may ask for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decided by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decided by {who}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit this waiting message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May have been sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>denied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{agent} goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} more characters are not shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} more lines are not shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{one} handed over to {other}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Transcript</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
