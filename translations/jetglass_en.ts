<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ExplainText</name>
    <message numerus="yes">
        <source>It was delivered %n time(s) and never acknowledged. That is max_deliver, so it is not delivered again. It stays in the stream; nothing moves it elsewhere.</source>
        <translation>
            <numerusform>It was delivered %n time and never acknowledged. That is max_deliver, so it is not delivered again. It stays in the stream; nothing moves it elsewhere.</numerusform>
            <numerusform>It was delivered %n times and never acknowledged. That is max_deliver, so it is not delivered again. It stays in the stream; nothing moves it elsewhere.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stand before it.</source>
        <translation>
            <numerusform>%Ln message stands before it.</numerusform>
            <numerusform>%Ln messages stand before it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stand before it; %1 is the next one.</source>
        <translation>
            <numerusform>%Ln message stands before it; %1 is the next one.</numerusform>
            <numerusform>%Ln messages stand before it; %1 is the next one.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaneText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s)</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n schedule(s)</source>
        <translation>
            <numerusform>%n schedule</numerusform>
            <numerusform>%n schedules</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message numerus="yes">
        <source>%1: messages %2 to %3 on screen, %n consumer(s)</source>
        <translation>
            <numerusform>%1: messages %2 to %3 on screen, %n consumer</numerusform>
            <numerusform>%1: messages %2 to %3 on screen, %n consumers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryText</name>
    <message numerus="yes">
        <source>Brought back: streams %1, and %Ln consumer(s), which begin at their deliver policy again.</source>
        <translation>
            <numerusform>Brought back: streams %1, and %Ln consumer, which begins at its deliver policy again.</numerusform>
            <numerusform>Brought back: streams %1, and %Ln consumers, which begin at their deliver policy again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln byte(s) are damaged.</source>
        <translation>
            <numerusform>%1: %Ln byte is damaged.</numerusform>
            <numerusform>%1: %Ln bytes are damaged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: the last write was not finished; its %Ln byte(s) were cut off.</source>
        <translation>
            <numerusform>%1: the last write was not finished; its %Ln byte was cut off.</numerusform>
            <numerusform>%1: the last write was not finished; its %Ln bytes were cut off.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln byte(s) at the end are damaged.</source>
        <translation>
            <numerusform>%1: %Ln byte at the end is damaged.</numerusform>
            <numerusform>%1: %Ln bytes at the end are damaged.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::client::Fetcher</name>
    <message numerus="yes">
        <source>%n message(s) received</source>
        <translation>
            <numerusform>%n message received</numerusform>
            <numerusform>%n messages received</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::DeleteConsumerDialog</name>
    <message numerus="yes">
        <source>%Ln pull request(s) wait now; each is told that the consumer was deleted (409).</source>
        <translation>
            <numerusform>%Ln pull request waits now; it is told that the consumer was deleted (409).</numerusform>
            <numerusform>%Ln pull requests wait now; each is told that the consumer was deleted (409).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::DeleteStreamDialog</name>
    <message numerus="yes">
        <source>The stream is deleted for good, with its messages and %n consumer(s).</source>
        <translation>
            <numerusform>The stream is deleted for good, with its messages and %n consumer.</numerusform>
            <numerusform>The stream is deleted for good, with its messages and %n consumers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The stream is deleted for good, with %n consumer(s).</source>
        <translation>
            <numerusform>The stream is deleted for good, with %n consumer.</numerusform>
            <numerusform>The stream is deleted for good, with %n consumers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::PreviewView</name>
    <message numerus="yes">
        <source>%Ln message(s) with %1 would be removed for good.</source>
        <translation>
            <numerusform>%Ln message with %1 would be removed for good.</numerusform>
            <numerusform>%Ln messages with %1 would be removed for good.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stay.</source>
        <translation>
            <numerusform>%Ln message stays.</numerusform>
            <numerusform>%Ln messages stay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::PurgeDialog</name>
    <message numerus="yes">
        <source>&amp;Remove %Ln message(s)</source>
        <translation>
            <numerusform>&amp;Remove %Ln message</numerusform>
            <numerusform>&amp;Remove %Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::lanes::LaneView</name>
    <message numerus="yes">
        <source>Back to live · %n new</source>
        <translation>
            <numerusform>Back to live · %n new</numerusform>
            <numerusform>Back to live · %n new</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::models::EventLogModel</name>
    <message numerus="yes">
        <source>%n deliveries without an ack; it stays in the stream</source>
        <translation>
            <numerusform>%n delivery without an ack; it stays in the stream</numerusform>
            <numerusform>%n deliveries without an ack; it stays in the stream</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) by filter</source>
        <translation>
            <numerusform>%Ln message by filter</numerusform>
            <numerusform>%Ln messages by filter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) in one ack</source>
        <translation>
            <numerusform>%Ln message in one ack</numerusform>
            <numerusform>%Ln messages in one ack</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::models::LaneFeed</name>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ClientsPage</name>
    <message numerus="yes">
        <source>%n connection(s) to %1</source>
        <translation>
            <numerusform>%n connection to %1</numerusform>
            <numerusform>%n connections to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ConsumeHeldModel</name>
    <message numerus="yes">
        <source>In progress (sent %n time(s)): it comes again in %1 s unless you answer.</source>
        <translation>
            <numerusform>In progress (sent %n time): it comes again in %1 s unless you answer.</numerusform>
            <numerusform>In progress (sent %n times): it comes again in %1 s unless you answer.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ConsumePage</name>
    <message numerus="yes">
        <source>Asking for %n message(s) …</source>
        <translation>
            <numerusform>Asking for %n message …</numerusform>
            <numerusform>Asking for %n messages …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::HeldList</name>
    <message numerus="yes">
        <source>%n message(s) selected, %1 of them can be answered.</source>
        <translation>
            <numerusform>%n message selected, %1 of them can be answered.</numerusform>
            <numerusform>%n messages selected, %1 of them can be answered.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::MessagesPage</name>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::PublishPage</name>
    <message numerus="yes">
        <source>JSON, %n byte(s)</source>
        <translation>
            <numerusform>JSON, %n byte</numerusform>
            <numerusform>JSON, %n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>text, %n byte(s)</source>
        <translation>
            <numerusform>text, %n byte</numerusform>
            <numerusform>text, %n bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::payload::PayloadView</name>
    <message numerus="yes">
        <source>Headers (%n)</source>
        <translation>
            <numerusform>Headers (%n)</numerusform>
            <numerusform>Headers (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::window::StatusLine</name>
    <message numerus="yes">
        <source>%n connection(s)</source>
        <translation>
            <numerusform>%n connection</numerusform>
            <numerusform>%n connections</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Store: %n finding(s) at the start, first in %1</source>
        <translation>
            <numerusform>Store: %n finding at the start, in %1</numerusform>
            <numerusform>Store: %n findings at the start, first in %1</numerusform>
        </translation>
    </message>
</context>
</TS>
