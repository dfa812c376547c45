<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ConfigText</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>A message goes when every consumer whose filter matches it has acknowledged it. Without a matching consumer it is not kept at all.</source>
        <translation>所有过滤条件匹配的消费者都确认之后，消息才会移除。没有匹配的消费者时，消息根本不会保留。</translation>
    </message>
    <message>
        <source>A message goes when it is acknowledged. Consumers&apos; filters must not overlap; workers share one consumer.</source>
        <translation>消息一经确认就移除。各消费者的过滤条件不得重叠；多个工作进程共用一个消费者。</translation>
    </message>
    <message>
        <source>Messages stay until a limit removes them. Acknowledging removes nothing.</source>
        <translation>消息一直保留，直到触及某项限制。确认不会移除任何消息。</translation>
    </message>
    <message>
        <source>A message counts as done once it is delivered.</source>
        <translation>消息一经投递即视为完成。</translation>
    </message>
    <message>
        <source>An ack settles its message and all before it.</source>
        <translation>一次确认同时确认该消息及之前的全部消息。</translation>
    </message>
    <message>
        <source>Flow control answers acknowledge what was delivered.</source>
        <translation>流控应答即确认已投递的消息。</translation>
    </message>
    <message>
        <source>Every message needs an ack of its own.</source>
        <translation>每条消息都需要单独确认。</translation>
    </message>
    <message>
        <source>Begins with the last message that was there at creation.</source>
        <translation>从创建时的最后一条消息开始。</translation>
    </message>
    <message>
        <source>Begins with what comes after creation.</source>
        <translation>从创建之后到来的消息开始。</translation>
    </message>
    <message>
        <source>Begins at a given sequence. Read once, at creation.</source>
        <translation>从指定的序列号开始。只在创建时读取一次。</translation>
    </message>
    <message>
        <source>Begins at a given time. Read once, at creation.</source>
        <translation>从指定的时间开始。只在创建时读取一次。</translation>
    </message>
    <message>
        <source>Begins with the last message of each subject.</source>
        <translation>从每个主题的最后一条消息开始。</translation>
    </message>
    <message>
        <source>Begins with the first message. Read once, at creation.</source>
        <translation>从第一条消息开始。只在创建时读取一次。</translation>
    </message>
    <message>
        <source>Messages at most</source>
        <translation>消息数上限</translation>
    </message>
    <message>
        <source>The oldest ones go (discard old) or new ones are refused (discard new).</source>
        <translation>超出时移除最旧的消息（discard old），或拒绝新消息（discard new）。</translation>
    </message>
    <message>
        <source>Size at most</source>
        <translation>总大小上限</translation>
    </message>
    <message>
        <source>Counts subject, headers and payload of each message and a small frame.</source>
        <translation>计入每条消息的主题、消息头、负载以及少量固定开销。</translation>
    </message>
    <message>
        <source>Age at most</source>
        <translation>保留时间上限</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Older messages go by themselves.</source>
        <translation>更旧的消息会自动移除。</translation>
    </message>
    <message>
        <source>Messages per subject</source>
        <translation>每个主题的消息数</translation>
    </message>
    <message>
        <source>1 keeps the latest value of every subject.</source>
        <translation>设为 1 时只保留每个主题的最新值。</translation>
    </message>
    <message>
        <source>One message at most</source>
        <translation>单条消息上限</translation>
    </message>
    <message>
        <source>A larger message is refused.</source>
        <translation>更大的消息会被拒绝。</translation>
    </message>
    <message>
        <source>Consumers at most</source>
        <translation>消费者数上限</translation>
    </message>
    <message>
        <source>One more is refused.</source>
        <translation>再多一个就会被拒绝。</translation>
    </message>
    <message>
        <source>At a limit</source>
        <translation>触及限制时</translation>
    </message>
    <message>
        <source>New messages are refused until there is room.</source>
        <translation>拒绝新消息，直到腾出空间。</translation>
    </message>
    <message>
        <source>The oldest messages make room.</source>
        <translation>最旧的消息让出空间。</translation>
    </message>
    <message>
        <source>Refuse new per subject</source>
        <translation>按主题拒绝新消息</translation>
    </message>
    <message>
        <source>With discard new: the limit per subject refuses, too.</source>
        <translation>配合 discard new：每个主题的上限也会拒绝新消息。</translation>
    </message>
    <message>
        <source>Duplicate window</source>
        <translation>去重窗口</translation>
    </message>
    <message>
        <source>A message id that was seen within this time is not stored again. It counts from the first sight and does not slide.</source>
        <translation>在此时间内出现过的消息 ID 不会再次存储。从首次出现时起算，不会顺延。</translation>
    </message>
    <message>
        <source>Pub acks</source>
        <translation>发布确认</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Whether a publisher gets an answer.</source>
        <translation>发布者是否收到应答。</translation>
    </message>
    <message>
        <source>Sealed</source>
        <translation>已封存</translation>
    </message>
    <message>
        <source>Nothing can be added or removed any more.</source>
        <translation>不能再添加或移除任何消息。</translation>
    </message>
    <message>
        <source>Deleting denied</source>
        <translation>禁止删除</translation>
    </message>
    <message>
        <source>Single messages cannot be deleted.</source>
        <translation>不能删除单条消息。</translation>
    </message>
    <message>
        <source>Purging denied</source>
        <translation>禁止清空</translation>
    </message>
    <message>
        <source>The stream cannot be purged.</source>
        <translation>不能清空该流。</translation>
    </message>
    <message>
        <source>Rollup allowed</source>
        <translation>允许 rollup</translation>
    </message>
    <message>
        <source>A message with Nats-Rollup replaces all before it.</source>
        <translation>带 Nats-Rollup 的消息会替换它之前的全部消息。</translation>
    </message>
    <message>
        <source>Direct get</source>
        <translation>直接读取</translation>
    </message>
    <message>
        <source>Messages can be read by sequence or subject without the API&apos;s queue.</source>
        <translation>可以按序列号或主题直接读取消息，无需经过 API 队列。</translation>
    </message>
    <message>
        <source>Message TTL allowed</source>
        <translation>允许消息 TTL</translation>
    </message>
    <message>
        <source>A message may carry its own lifetime (Nats-TTL).</source>
        <translation>消息可以自带存活时间（Nats-TTL）。</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>Of sealed message blocks on disk.</source>
        <translation>针对磁盘上已封存的消息块。</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What is published on these is stored here.</source>
        <translation>发布到这些主题的消息存储在此。</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>保留策略</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Gone when the broker ends.</source>
        <translation>服务器停止后即丢失。</translation>
    </message>
    <message>
        <source>Survives a restart.</source>
        <translation>重启后仍在。</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>One server keeps one copy; more are refused here (error 10074).</source>
        <translation>单台服务器只存一份；更多副本会被拒绝（错误 10074）。</translation>
    </message>
    <message>
        <source>First sequence</source>
        <translation>起始序列号</translation>
    </message>
    <message>
        <source>The first message got this number.</source>
        <translation>第一条消息使用此编号。</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Messages of these streams are copied in, with new sequences.</source>
        <translation>从这些流复制消息，并分配新的序列号。</translation>
    </message>
    <message>
        <source>Republish</source>
        <translation>再发布</translation>
    </message>
    <message>
        <source>Stored messages are also sent to Core NATS subscribers.</source>
        <translation>已存储的消息也会发给 Core NATS 订阅者。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>push</source>
        <translation>推送</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>拉取</translation>
    </message>
    <message>
        <source>Messages are sent to %1.</source>
        <translation>消息发送到 %1。</translation>
    </message>
    <message>
        <source>Clients ask for messages.</source>
        <translation>由客户端请求消息。</translation>
    </message>
    <message>
        <source>Durable</source>
        <translation>持久</translation>
    </message>
    <message>
        <source>Stays until it is deleted.</source>
        <translation>一直存在，直到被删除。</translation>
    </message>
    <message>
        <source>Goes by itself when nobody has used it for a while (inactive_threshold).</source>
        <translation>一段时间无人使用就会自动消失（inactive_threshold）。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Only matching messages are for this consumer.</source>
        <translation>只有匹配的消息才属于该消费者。</translation>
    </message>
    <message>
        <source>Begins with</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Acks</source>
        <translation>确认方式</translation>
    </message>
    <message>
        <source>Again after</source>
        <translation>重投间隔</translation>
    </message>
    <message>
        <source>The wait before each redelivery after an ack did not come. Replaces ack_wait; a plain nak ignores it.</source>
        <translation>未收到确认时，每次重投前的等待。它取代 ack_wait；普通的 nak 不受其影响。</translation>
    </message>
    <message>
        <source>Ack wait</source>
        <translation>确认等待</translation>
    </message>
    <message>
        <source>Starts at delivery. When it is over the message is due again.</source>
        <translation>从投递时起算。超时后消息等待重投。</translation>
    </message>
    <message>
        <source>Deliveries at most</source>
        <translation>投递次数上限</translation>
    </message>
    <message>
        <source>After that the message is not delivered again; it stays in the stream.</source>
        <translation>达到后不再投递；消息仍留在流中。</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>名额</translation>
    </message>
    <message>
        <source>Deliveries that may wait for an ack at the same time, over all clients of this consumer.</source>
        <translation>可同时等待确认的投递数，由该消费者的所有客户端共用。</translation>
    </message>
    <message>
        <source>Waiting requests at most</source>
        <translation>等待请求上限</translation>
    </message>
    <message>
        <source>One more pull request is refused (409).</source>
        <translation>再多一个拉取请求会被拒绝（409）。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>With the pauses in which the messages came.</source>
        <translation>保持消息到来时的间隔。</translation>
    </message>
    <message>
        <source>As fast as possible.</source>
        <translation>尽可能快。</translation>
    </message>
    <message>
        <source>Queue group</source>
        <translation>队列组</translation>
    </message>
    <message>
        <source>Subscribers of this group share the messages.</source>
        <translation>该组的订阅者分摊消息。</translation>
    </message>
    <message>
        <source>Inactive at most</source>
        <translation>最长闲置</translation>
    </message>
    <message>
        <source>Unused for so long, the consumer is removed, a durable one included.</source>
        <translation>闲置这么久之后消费者会被移除，持久消费者也不例外。</translation>
    </message>
    <message>
        <source>Headers only</source>
        <translation>仅消息头</translation>
    </message>
    <message>
        <source>Payloads are left out; Nats-Msg-Size tells their size.</source>
        <translation>不含负载；Nats-Msg-Size 给出其大小。</translation>
    </message>
</context>
<context>
    <name>ExplainText</name>
    <message>
        <source>a client</source>
        <translation>某个客户端</translation>
    </message>
    <message>
        <source>at %1 (in %2)</source>
        <translation>于 %1（%2后）</translation>
    </message>
    <message>
        <source>Why does %1 not move?</source>
        <translation>%1 为什么不动？</translation>
    </message>
    <message>
        <source>%1 is done for %2</source>
        <translation>%2 已处理完 %1</translation>
    </message>
    <message>
        <source>%1 was given up for %2</source>
        <translation>%2 已放弃 %1</translation>
    </message>
    <message>
        <source>%1 is not for %2</source>
        <translation>%1 与 %2 无关</translation>
    </message>
    <message>
        <source>Why is %1 not done for %2?</source>
        <translation>%2 为什么还没处理完 %1？</translation>
    </message>
    <message>
        <source>%1 has acknowledged it.</source>
        <translation>%1 已确认。</translation>
    </message>
    <message>
        <source>It was terminated (+TERM): it will not be delivered again, and nobody acknowledged it.</source>
        <translation>已被终止（+TERM）：不会再投递，也没有被确认。</translation>
    </message>
    <message numerus="yes">
        <source>It was delivered %n time(s) and never acknowledged. That is max_deliver, so it is not delivered again. It stays in the stream; nothing moves it elsewhere.</source>
        <translation>
            <numerusform>已投递 %n 次，始终未确认。达到 max_deliver，不再投递。它仍留在流中，不会被移到别处。</numerusform>
        </translation>
    </message>
    <message>
        <source>It is settled; how is no longer remembered.</source>
        <translation>已了结；方式不再记得。</translation>
    </message>
    <message>
        <source>It is not in the stream.</source>
        <translation>不在流中。</translation>
    </message>
    <message>
        <source>It is not in the stream any more: %1.</source>
        <translation>已不在流中：%1。</translation>
    </message>
    <message>
        <source>No filter of %1 matches its subject, so it is never delivered here.</source>
        <translation>%1 的过滤条件都不匹配它的主题，因此永远不会投递到这里。</translation>
    </message>
    <message>
        <source>%1 began at sequence %2, behind this message.</source>
        <translation>%1 从序列号 %2 开始，在这条消息之后。</translation>
    </message>
    <message>
        <source>%1 began behind this message. The deliver policy is read once, when the consumer is made.</source>
        <translation>%1 的起点在这条消息之后。deliver policy 只在创建消费者时读取一次。</translation>
    </message>
    <message>
        <source>%1 is paused and goes on %2.</source>
        <translation>%1 已暂停，%2继续。</translation>
    </message>
    <message>
        <source>Nobody subscribes to the deliver subject of %1.</source>
        <translation>没有人订阅 %1 的投递主题。</translation>
    </message>
    <message>
        <source>Nobody is asking: no pull request of %1 waits for a message.</source>
        <translation>没有人在请求：%1 没有等待中的拉取请求。</translation>
    </message>
    <message>
        <source>Flow control: the client has still to answer for %1.</source>
        <translation>流控：客户端还需应答 %1。</translation>
    </message>
    <message>
        <source>Delivery %1 went to %2 and is not acknowledged yet. Without an ack it is due again %3.</source>
        <translation>第 %1 次投递给了“%2”，尚未确认。若一直不确认，将%3再次投递。</translation>
    </message>
    <message>
        <source>It was refused with a delay (-NAK) and comes again %1. Until then it keeps its slot.</source>
        <translation>被延迟拒绝（-NAK），将%1再次投递。在此之前一直占用名额。</translation>
    </message>
    <message>
        <source>It was delivered %1 of %2 times, so it is not delivered again.</source>
        <translation>已投递 %1 次（上限 %2），不再投递。</translation>
    </message>
    <message>
        <source>All %1 slots are held: %2 deliveries wait for their ack. One ack makes room for one message.</source>
        <translation>%1 个名额全部占满：%2 次投递在等待确认。每确认一条就腾出一个名额。</translation>
    </message>
    <message>
        <source>The rate limit or the original speed of replay lets it go %1.</source>
        <translation>受限速或原速重放约束，将%1放行。</translation>
    </message>
    <message>
        <source>The rate limit or the original speed of replay holds it back.</source>
        <translation>受限速或原速重放约束，暂不放行。</translation>
    </message>
    <message>
        <source>The priority group gives messages to another client now.</source>
        <translation>优先级组目前把消息交给另一个客户端。</translation>
    </message>
    <message>
        <source>A gate of the lab holds it.</source>
        <translation>被实验室的闸门拦住。</translation>
    </message>
    <message>
        <source>It is ready to be delivered again, but on a pull consumer that takes a request, too.</source>
        <translation>它已可重投，但拉取消费者还需要有请求。</translation>
    </message>
    <message>
        <source>It is delivered as soon as a client fetches (a pull request with room in its batch).</source>
        <translation>一旦有客户端拉取（请求中还有余量）就会投递。</translation>
    </message>
    <message>
        <source>Until it is settled the ack floor stays at %1.</source>
        <translation>在它了结之前，ack floor 停在 %1。</translation>
    </message>
    <message>
        <source>The ack floor stays at %1 because %2 is not settled.</source>
        <translation>由于 %2 尚未了结，ack floor 停在 %1。</translation>
    </message>
    <message>
        <source>The stream or the consumer is gone.</source>
        <translation>流或消费者已不存在。</translation>
    </message>
    <message>
        <source>Meanwhile it holds one of the %1 slots (%2 are held now).</source>
        <translation>在此期间它占用 %1 个名额之一（现已占用 %2 个）。</translation>
    </message>
    <message>
        <source>Nothing holds it back. It has nothing to deliver now.</source>
        <translation>没有任何阻碍，目前没有可投递的消息。</translation>
    </message>
    <message>
        <source>Nothing holds it back: it goes out with the next turn.</source>
        <translation>没有任何阻碍：下一轮就会发出。</translation>
    </message>
    <message>
        <source>To be delivered again it will take a request, too.</source>
        <translation>再次投递时同样需要有请求。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stand before it.</source>
        <translation>
            <numerusform>它前面还有 %Ln 条消息。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stand before it; %1 is the next one.</source>
        <translation>
            <numerusform>它前面还有 %Ln 条消息；下一条是 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was lost</source>
        <translation>%1 已丢失</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 已不在流中</translation>
    </message>
    <message>
        <source>It was lost to damage in the store: its bytes on disk could not be read when the broker started. No consumer gets it.</source>
        <translation>它因存储损坏而丢失：服务器启动时无法读出它在磁盘上的数据。任何消费者都得不到它。</translation>
    </message>
    <message>
        <source>When a slot is free it will take a request, too.</source>
        <translation>有空位之后，还需要有一个拉取请求。</translation>
    </message>
    <message>
        <source>%1 never existed</source>
        <translation>%1 从未存在</translation>
    </message>
    <message>
        <source>No message ever had this sequence. It was skipped: the stream began behind it (first_seq), a purge went beyond the last message, or a mirror&apos;s origin lacked it.</source>
        <translation>从来没有消息使用过此序列号，它被跳过了：流从其后开始（first_seq），清除越过了最后一条消息，或镜像的源流中没有它。</translation>
    </message>
</context>
<context>
    <name>LaneText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>mirror of %1</source>
        <translation>%1 的镜像</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>push → %1</source>
        <translation>推送 → %1</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>拉取</translation>
    </message>
    <message>
        <source>ack %1</source>
        <translation>确认 %1</translation>
    </message>
    <message>
        <source>filter %1</source>
        <translation>过滤 %1</translation>
    </message>
    <message>
        <source>next out by %1: %2, at the next publish</source>
        <translation>下一条移出（%1）：序列号 %2，在下次发布时</translation>
    </message>
    <message>
        <source>next out by %1: %2 in %3</source>
        <translation>下一条移出（%1）：序列号 %2，还有 %3</translation>
    </message>
    <message>
        <source>paused for another %1 (pause_until)</source>
        <translation>还要暂停 %1（pause_until）</translation>
    </message>
    <message>
        <source>stalled: all %1 slots are held (max_ack_pending)</source>
        <translation>停滞：%1 个名额全部占满（max_ack_pending）</translation>
    </message>
    <message>
        <source>nobody subscribes to %1 (deliver_subject)</source>
        <translation>没有人订阅 %1（deliver_subject）</translation>
    </message>
    <message>
        <source>nobody asks: no pull request yet</source>
        <translation>没有人请求：至今无拉取请求</translation>
    </message>
    <message>
        <source>%1 of %2 slots held</source>
        <translation>占用 %1/%2 个名额</translation>
    </message>
    <message>
        <source>%1 await ack</source>
        <translation>%1 条待确认</translation>
    </message>
    <message>
        <source>%1 due again</source>
        <translation>%1 条待重投</translation>
    </message>
    <message>
        <source>%1 to come</source>
        <translation>%1 条待投递</translation>
    </message>
    <message>
        <source>nothing delivered yet</source>
        <translation>尚未投递</translation>
    </message>
    <message>
        <source>all done</source>
        <translation>全部完成</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s)</source>
        <translation>
            <numerusform>%n 个来源</numerusform>
        </translation>
    </message>
    <message>
        <source>in step with %1</source>
        <translation>与 %1 同步</translation>
    </message>
    <message>
        <source>%1 behind %2 (lag)</source>
        <translation>落后 %2 %1 条（lag）</translation>
    </message>
    <message numerus="yes">
        <source>%n schedule(s)</source>
        <translation>
            <numerusform>%n 个定时</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, next in %2</source>
        <translation>%1，%2后触发下一条</translation>
    </message>
    <message>
        <source>pinned (%1)</source>
        <translation>已固定（%1）</translation>
    </message>
    <message>
        <source>pinned to %1 (%2)</source>
        <translation>固定给“%1”（%2）</translation>
    </message>
    <message>
        <source>nobody asks: no pull request for %1</source>
        <translation>没有人请求：距上次拉取已过 %1</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>last %1</source>
        <translation>最新 %1</translation>
    </message>
    <message>
        <source>counts partly estimated</source>
        <translation>计数部分为估算</translation>
    </message>
    <message>
        <source>nothing delivered yet</source>
        <translation>尚未投递</translation>
    </message>
    <message>
        <source>ack floor %1 = delivered</source>
        <translation>ack floor %1 = 已投递</translation>
    </message>
    <message>
        <source>delivered %1</source>
        <translation>已投递 %1</translation>
    </message>
    <message>
        <source>ack floor %1</source>
        <translation>ack floor %1</translation>
    </message>
    <message>
        <source>%1 message %2</source>
        <translation>%1 消息 %2</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>加载中</translation>
    </message>
    <message>
        <source>%1, stored %2</source>
        <translation>%1，存储于 %2</translation>
    </message>
    <message>
        <source>its content was never recorded; this is a placeholder</source>
        <translation>内容从未录制；这是占位</translation>
    </message>
    <message>
        <source>%1, message %2</source>
        <translation>%1，消息 %2</translation>
    </message>
    <message>
        <source>concluded from outside, not told by the broker</source>
        <translation>由外部推断，并非服务器告知</translation>
    </message>
    <message>
        <source>delivered up to %1 (delivered.stream_seq)</source>
        <translation>已投递到 %1（delivered.stream_seq）</translation>
    </message>
    <message>
        <source>done without a gap up to %1 (ack_floor.stream_seq)</source>
        <translation>连续完成到 %1（ack_floor.stream_seq）</translation>
    </message>
    <message>
        <source>%1, messages %2 to %3</source>
        <translation>%1，消息 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 stored</source>
        <translation>存储 %1</translation>
    </message>
    <message>
        <source>estimated: the block of these messages is not loaded</source>
        <translation>估算：这些消息所在的块未加载</translation>
    </message>
    <message numerus="yes">
        <source>%1: messages %2 to %3 on screen, %n consumer(s)</source>
        <translation>
            <numerusform>%1：屏幕上为消息 %2 到 %3，%n 个消费者</numerusform>
        </translation>
    </message>
    <message>
        <source>overridden: answered from this window</source>
        <translation>已代答：由本窗口应答</translation>
    </message>
    <message>
        <source>%1 removed or never there</source>
        <translation>%1 已移除或从未存在</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Show only events of %1</source>
        <translation>只看 %1 的事件</translation>
    </message>
    <message>
        <source>Copy sequence</source>
        <translation>复制序列号</translation>
    </message>
    <message>
        <source>Publish again…</source>
        <translation>再次发布…</translation>
    </message>
    <message>
        <source>Replay from here…</source>
        <translation>从此处重放…</translation>
    </message>
    <message>
        <source>Purge what is before…</source>
        <translation>清空此前的消息…</translation>
    </message>
    <message>
        <source>Override its delivery…</source>
        <translation>代答其投递…</translation>
    </message>
</context>
<context>
    <name>NoteText</name>
    <message>
        <source>counter at %1 (%2)</source>
        <translation>计数器 %1（%2）</translation>
    </message>
    <message>
        <source>The counter of its subject stands at %1 after %2 (Nats-Incr).</source>
        <translation>该主题的计数器在 %2 之后为 %1（Nats-Incr）。</translation>
    </message>
    <message>
        <source>A schedule: %1 stores a message on %2 (Nats-Schedule).</source>
        <translation>定时任务：%1 向 %2 存入一条消息（Nats-Schedule）。</translation>
    </message>
    <message>
        <source>It takes the content of the last message on %1.</source>
        <translation>内容取自 %1 上的最后一条消息。</translation>
    </message>
    <message>
        <source>It is over.</source>
        <translation>已结束。</translation>
    </message>
    <message>
        <source>Next in %1.</source>
        <translation>%1后下一次触发。</translation>
    </message>
    <message>
        <source>schedule %1 → %2</source>
        <translation>定时 %1 → %2</translation>
    </message>
    <message>
        <source>Stored by the schedule on %1 (Nats-Scheduler).</source>
        <translation>由 %1 上的定时任务存入（Nats-Scheduler）。</translation>
    </message>
    <message>
        <source>The schedule ended with it.</source>
        <translation>该定时任务随之结束。</translation>
    </message>
    <message>
        <source>The schedule&apos;s next time was to be %1.</source>
        <translation>该定时任务的下一次时间定为 %1。</translation>
    </message>
    <message>
        <source>from schedule %1</source>
        <translation>来自定时任务 %1</translation>
    </message>
    <message>
        <source>the last message of its subject became too old</source>
        <translation>该主题的最后一条消息已过期</translation>
    </message>
    <message>
        <source>its subject was purged</source>
        <translation>该主题已被清空</translation>
    </message>
    <message>
        <source>the last message of its subject was deleted</source>
        <translation>该主题的最后一条消息已被删除</translation>
    </message>
    <message>
        <source>delete marker: %1</source>
        <translation>删除标记：%1</translation>
    </message>
    <message>
        <source>A delete marker: %1 (Nats-Marker-Reason).</source>
        <translation>删除标记：%1（Nats-Marker-Reason）。</translation>
    </message>
    <message>
        <source>key deleted</source>
        <translation>键已删除</translation>
    </message>
    <message>
        <source>The key of a bucket was deleted; its history stays (KV-Operation).</source>
        <translation>存储桶中的键已删除；其历史保留（KV-Operation）。</translation>
    </message>
    <message>
        <source>key purged</source>
        <translation>键已清除</translation>
    </message>
    <message>
        <source>The key of a bucket was purged, with its history (KV-Operation).</source>
        <translation>存储桶中的键连同其历史已被清除（KV-Operation）。</translation>
    </message>
    <message>
        <source>rollup</source>
        <translation>rollup</translation>
    </message>
    <message>
        <source>It replaced all earlier messages of its subject (Nats-Rollup).</source>
        <translation>它取代了该主题此前的所有消息（Nats-Rollup）。</translation>
    </message>
    <message>
        <source>It replaced all earlier messages of the stream (Nats-Rollup).</source>
        <translation>它取代了该流此前的所有消息（Nats-Rollup）。</translation>
    </message>
    <message>
        <source>TTL never</source>
        <translation>TTL 永不过期</translation>
    </message>
    <message>
        <source>No age takes it: max_age does not count for it (Nats-TTL: never).</source>
        <translation>不会因时间移除：max_age 对它无效（Nats-TTL: never）。</translation>
    </message>
    <message>
        <source>TTL %1</source>
        <translation>TTL %1</translation>
    </message>
    <message>
        <source>It goes in %1 by its own TTL of %2 (Nats-TTL).</source>
        <translation>%1后因自身的 TTL %2 移除（Nats-TTL）。</translation>
    </message>
    <message>
        <source>It goes in %1 by max_age.</source>
        <translation>%1后因 max_age 移除。</translation>
    </message>
    <message>
        <source>Copied from %1, where it has the sequence %2 (Nats-Stream-Source).</source>
        <translation>复制自 %1，在那里的序号为 %2（Nats-Stream-Source）。</translation>
    </message>
    <message>
        <source>Its subject there is %1.</source>
        <translation>在那里的主题为 %1。</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Number %1 of the batch %2 (Nats-Batch-Id).</source>
        <translation>批次 %2 的第 %1 条（Nats-Batch-Id）。</translation>
    </message>
    <message>
        <source>It committed the batch.</source>
        <translation>它提交了该批次。</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批次 %1</translation>
    </message>
    <message>
        <source>Its message id is %1; duplicate_window is over.</source>
        <translation>消息 ID 为 %1；duplicate_window 已过。</translation>
    </message>
    <message>
        <source>Its message id is %1: for another %2 a second one is dropped as a duplicate (duplicate_window).</source>
        <translation>消息 ID 为 %1：在接下来的 %2内，再次发布会作为重复消息丢弃（duplicate_window）。</translation>
    </message>
</context>
<context>
    <name>Quantity</name>
    <message>
        <source>d</source>
        <translation>天</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>ns</source>
        <translation>纳秒</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
</context>
<context>
    <name>RecoveryText</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>Brought back: streams %1, and %Ln consumer(s), which begin at their deliver policy again.</source>
        <translation>
            <numerusform>已恢复：流 %1，以及 %Ln 个消费者；这些消费者将按各自的投递策略重新开始。</numerusform>
        </translation>
    </message>
    <message>
        <source>In the broker&apos;s words: %1</source>
        <translation>服务器的原话：%1</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln byte(s) are damaged.</source>
        <translation>
            <numerusform>%1：%Ln 个字节已损坏。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: the last write was not finished; its %Ln byte(s) were cut off.</source>
        <translation>
            <numerusform>%1：最后一次写入未完成，写下的 %Ln 个字节已被截掉。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln byte(s) at the end are damaged.</source>
        <translation>
            <numerusform>%1：末尾的 %Ln 个字节已损坏。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: the head of the file was damaged and has been written anew.</source>
        <translation>%1：文件头已损坏，现已重新写入。</translation>
    </message>
    <message>
        <source>%1 is not a message block. It is kept as %2.</source>
        <translation>%1 不是消息块，已改名保留为 %2。</translation>
    </message>
    <message>
        <source>%1 was never finished and has been removed.</source>
        <translation>%1 从未写完，已被删除。</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 belong together and were not all written, so all of them were taken back.</source>
        <translation>%1：序列号 %2 到 %3 属于同一批，但未全部写入，因此整批已撤回。</translation>
    </message>
    <message>
        <source>%1 did not fit its block and is made anew from it.</source>
        <translation>%1 与其消息块不符，将根据该块重建。</translation>
    </message>
    <message>
        <source>%1, the newest block, is missing. It held the messages from sequence %2 on.</source>
        <translation>最新的消息块 %1 不见了。它保存着从序列号 %2 开始的消息。</translation>
    </message>
    <message>
        <source>%1: sequence %2 is lost.</source>
        <translation>%1：序列号 %2 已丢失。</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 are lost.</source>
        <translation>%1：序列号 %2 到 %3 已丢失。</translation>
    </message>
    <message>
        <source>%1: what is lost could not be recorded; the next start finds it again.</source>
        <translation>%1：丢失的内容无法记录下来；下次启动时会再次发现。</translation>
    </message>
    <message>
        <source>Stream %1: consumers have had messages up to sequence %2, but those from %3 on are not stored any more. New messages come behind them.</source>
        <translation>流 %1：消费者已收到直到序列号 %2 的消息，但从 %3 开始的消息已不在存储中。新消息将排在它们之后。</translation>
    </message>
    <message>
        <source>%1 holds messages, but neither the catalog nor a config.json tells of which stream. It was left as it is.</source>
        <translation>%1 中有消息，但 catalog.sqlite 和 config.json 都没有说明属于哪个流。已原样保留。</translation>
    </message>
    <message>
        <source>%1 is not a consumer log of this version. It is kept as %2; consumers go on from what the catalog has of them.</source>
        <translation>%1 不是此版本的消费者日志，已改名保留为 %2；消费者将从 catalog.sqlite 中的记录继续。</translation>
    </message>
    <message>
        <source>The catalog has lost consumer %1 of stream %2; it has to be created again. Its configuration is kept in %3.</source>
        <translation>catalog.sqlite 丢失了流 %2 的消费者 %1，需要重新创建。其配置保留在 %3 中。</translation>
    </message>
    <message>
        <source>%1 was damaged. It is kept as %2 and has been made anew from the copies beside the streams.</source>
        <translation>%1 已损坏，已改名保留为 %2，并根据各流文件夹中的配置副本重建。</translation>
    </message>
    <message>
        <source>%1 was missing and has been made anew from the copies beside the streams.</source>
        <translation>%1 不见了，已根据各流文件夹中的配置副本重建。</translation>
    </message>
    <message>
        <source>%1 was empty and has been made anew from the copies beside the streams.</source>
        <translation>%1 是空的，已根据各流文件夹中的配置副本重建。</translation>
    </message>
    <message>
        <source>%1 had lost streams.</source>
        <translation>%1 丢失了一些流。</translation>
    </message>
    <message>
        <source>%1 lacks streams, which could not be brought back from their copies.</source>
        <translation>%1 中缺少一些流，无法用它们的配置副本恢复。</translation>
    </message>
    <message>
        <source>As it was it is kept as %1.</source>
        <translation>原样保留为 %1。</translation>
    </message>
</context>
<context>
    <name>StartText</name>
    <message>
        <source>Another program listens there: a nats-server, or another Jetglass.</source>
        <translation>有其他程序在监听该端口：可能是 nats-server，也可能是另一个 Jetglass。</translation>
    </message>
    <message>
        <source>Another Jetglass has the streams in %1 open.</source>
        <translation>另一个 Jetglass 正在使用 %1 中的流。</translation>
    </message>
    <message>
        <source>%1 belongs to the store of a nats-server, which Jetglass cannot read. Nothing was changed.</source>
        <translation>%1 属于 nats-server 的存储，Jetglass 无法读取。未做任何更改。</translation>
    </message>
    <message>
        <source>%1 was not written by this version of Jetglass. Nothing was changed.</source>
        <translation>%1 不是由此版本的 Jetglass 写入的。未做任何更改。</translation>
    </message>
    <message>
        <source>%1 is damaged, and what lies beside it is not enough to make it anew. Nothing was changed.</source>
        <translation>%1 已损坏，旁边留存的内容不足以重建它。未做任何更改。</translation>
    </message>
    <message>
        <source>There is no space left on the disk of the store.</source>
        <translation>存储所在的磁盘已满。</translation>
    </message>
    <message>
        <source>%1 cannot be opened, read or written.</source>
        <translation>无法打开、读取或写入 %1。</translation>
    </message>
    <message>
        <source>In the broker&apos;s words: %1</source>
        <translation>服务器的原话：%1</translation>
    </message>
</context>
<context>
    <name>StateText</name>
    <message>
        <source>delivered</source>
        <translation>已投递</translation>
    </message>
    <message>
        <source>acked</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>acked up to</source>
        <translation>确认至</translation>
    </message>
    <message>
        <source>nak</source>
        <translation>nak</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>terminated</source>
        <translation>已终止</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>exhausted</source>
        <translation>次数用尽</translation>
    </message>
    <message>
        <source>ack floor</source>
        <translation>ack floor</translation>
    </message>
    <message>
        <source>cursor moved</source>
        <translation>游标移动</translation>
    </message>
    <message>
        <source>pull opened</source>
        <translation>拉取请求</translation>
    </message>
    <message>
        <source>pull served</source>
        <translation>拉取送达</translation>
    </message>
    <message>
        <source>pull ended</source>
        <translation>拉取结束</translation>
    </message>
    <message>
        <source>status sent</source>
        <translation>发送状态</translation>
    </message>
    <message>
        <source>heartbeat</source>
        <translation>心跳</translation>
    </message>
    <message>
        <source>flow control</source>
        <translation>流控</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>moves again</source>
        <translation>恢复推进</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>subscribed</source>
        <translation>已订阅</translation>
    </message>
    <message>
        <source>disconnected</source>
        <translation>已断开</translation>
    </message>
    <message>
        <source>slow consumer</source>
        <translation>慢消费者</translation>
    </message>
    <message>
        <source>stream created</source>
        <translation>创建流</translation>
    </message>
    <message>
        <source>stream changed</source>
        <translation>修改流</translation>
    </message>
    <message>
        <source>stream deleted</source>
        <translation>删除流</translation>
    </message>
    <message>
        <source>consumer created</source>
        <translation>创建消费者</translation>
    </message>
    <message>
        <source>consumer changed</source>
        <translation>修改消费者</translation>
    </message>
    <message>
        <source>consumer deleted</source>
        <translation>删除消费者</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>unpinned</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>batch opened</source>
        <translation>批次开始</translation>
    </message>
    <message>
        <source>waits in a batch</source>
        <translation>在批次中等待</translation>
    </message>
    <message>
        <source>batch committed</source>
        <translation>批次已提交</translation>
    </message>
    <message>
        <source>batch abandoned</source>
        <translation>批次已放弃</translation>
    </message>
    <message>
        <source>gap in a batch</source>
        <translation>批次中有缺口</translation>
    </message>
    <message>
        <source>batch ack</source>
        <translation>批次确认</translation>
    </message>
    <message>
        <source>schedule set</source>
        <translation>已设定定时</translation>
    </message>
    <message>
        <source>schedule fired</source>
        <translation>定时已触发</translation>
    </message>
    <message>
        <source>schedule ended</source>
        <translation>定时已结束</translation>
    </message>
    <message>
        <source>mirror progress</source>
        <translation>镜像进度</translation>
    </message>
    <message>
        <source>clock changed</source>
        <translation>时钟改变</translation>
    </message>
    <message>
        <source>gate acted</source>
        <translation>闸门动作</translation>
    </message>
    <message>
        <source>fault</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>not for this filter</source>
        <translation>不匹配过滤</translation>
    </message>
    <message>
        <source>before the consumer&apos;s start</source>
        <translation>在消费者起点之前</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>nak&apos;d, comes again</source>
        <translation>已 nak，稍后重投</translation>
    </message>
    <message>
        <source>due for redelivery</source>
        <translation>待重投</translation>
    </message>
    <message>
        <source>settled</source>
        <translation>已了结</translation>
    </message>
    <message>
        <source>not stored</source>
        <translation>未存储</translation>
    </message>
    <message>
        <source>max_age</source>
        <translation>max_age</translation>
    </message>
    <message>
        <source>max_msgs</source>
        <translation>max_msgs</translation>
    </message>
    <message>
        <source>max_bytes</source>
        <translation>max_bytes</translation>
    </message>
    <message>
        <source>max_msgs_per_subject</source>
        <translation>max_msgs_per_subject</translation>
    </message>
    <message>
        <source>acked (work queue)</source>
        <translation>已确认（工作队列）</translation>
    </message>
    <message>
        <source>no consumer needs it any more</source>
        <translation>不再有消费者需要</translation>
    </message>
    <message>
        <source>purged</source>
        <translation>已清空</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>its own TTL</source>
        <translation>自身 TTL</translation>
    </message>
    <message>
        <source>rollup</source>
        <translation>rollup</translation>
    </message>
    <message>
        <source>nobody was interested</source>
        <translation>无人关注</translation>
    </message>
    <message>
        <source>removed, cause no longer kept</source>
        <translation>已移除，原因不再保留</translation>
    </message>
    <message>
        <source>published</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>pub ack</source>
        <translation>发布确认</translation>
    </message>
    <message>
        <source>lost: damaged on disk</source>
        <translation>丢失：磁盘损坏</translation>
    </message>
    <message>
        <source>never existed (skipped)</source>
        <translation>从未存在（跳过）</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>not for this filter</source>
        <translation>不匹配过滤</translation>
    </message>
    <message>
        <source>before the start</source>
        <translation>在起点之前</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>已投递</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>nak&apos;d, parked</source>
        <translation>已 nak，暂存</translation>
    </message>
    <message>
        <source>redelivery due</source>
        <translation>待重投</translation>
    </message>
    <message>
        <source>acked</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>acked above the floor</source>
        <translation>已确认（高于 floor）</translation>
    </message>
    <message>
        <source>terminated</source>
        <translation>已终止</translation>
    </message>
    <message>
        <source>exhausted (max_deliver)</source>
        <translation>次数用尽（max_deliver）</translation>
    </message>
    <message>
        <source>settled</source>
        <translation>已了结</translation>
    </message>
    <message>
        <source>No filter of this consumer matches the subject.</source>
        <translation>该消费者的过滤条件都不匹配此主题。</translation>
    </message>
    <message>
        <source>The consumer began behind this message (deliver policy).</source>
        <translation>消费者的起点在这条消息之后（deliver policy）。</translation>
    </message>
    <message>
        <source>Not delivered yet.</source>
        <translation>尚未投递。</translation>
    </message>
    <message>
        <source>A client has it; without an ack it comes back when ack_wait is over.</source>
        <translation>已在客户端手中；若不确认，ack_wait 结束后会重投。</translation>
    </message>
    <message>
        <source>The client asked for more time (+WPI).</source>
        <translation>客户端请求延长时间（+WPI）。</translation>
    </message>
    <message>
        <source>The client gave it back; it comes again when the delay is over and keeps its place in max_ack_pending until then.</source>
        <translation>客户端退回了它；延迟结束后重投，在此之前占用 max_ack_pending 的名额。</translation>
    </message>
    <message>
        <source>It should be delivered again, but nobody asks for messages.</source>
        <translation>应当重投，但没有人请求消息。</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>Done, but an earlier message is not, so the ack floor is still below.</source>
        <translation>已完成，但更早的消息尚未完成，因此 ack floor 仍在其下。</translation>
    </message>
    <message>
        <source>The client refused it for good (+TERM), or it was removed while pending.</source>
        <translation>客户端彻底拒绝（+TERM），或在待确认时被移除。</translation>
    </message>
    <message>
        <source>Delivered max_deliver times without an ack. It stays in the stream.</source>
        <translation>已投递 max_deliver 次而未确认。仍留在流中。</translation>
    </message>
    <message>
        <source>Done; how is no longer remembered.</source>
        <translation>已完成；方式不再记得。</translation>
    </message>
    <message>
        <source>removed by max_age</source>
        <translation>因 max_age 移除</translation>
    </message>
    <message>
        <source>removed by max_msgs</source>
        <translation>因 max_msgs 移除</translation>
    </message>
    <message>
        <source>removed by max_bytes</source>
        <translation>因 max_bytes 移除</translation>
    </message>
    <message>
        <source>removed by max_msgs_per_subject</source>
        <translation>因 max_msgs_per_subject 移除</translation>
    </message>
    <message>
        <source>acked, so it left the work queue</source>
        <translation>已确认，因此离开工作队列</translation>
    </message>
    <message>
        <source>no consumer needs it any more</source>
        <translation>不再有消费者需要</translation>
    </message>
    <message>
        <source>purged</source>
        <translation>已清空</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>its own TTL ended</source>
        <translation>自身 TTL 到期</translation>
    </message>
    <message>
        <source>replaced by a rollup</source>
        <translation>被 rollup 取代</translation>
    </message>
    <message>
        <source>not stored: no consumer was interested</source>
        <translation>未存储：没有消费者关注</translation>
    </message>
    <message>
        <source>lost: damaged on disk</source>
        <translation>丢失：磁盘损坏</translation>
    </message>
    <message>
        <source>removed; the cause is no longer kept</source>
        <translation>已移除；原因不再保留</translation>
    </message>
    <message>
        <source>delivery %1</source>
        <translation>第 %1 次投递</translation>
    </message>
    <message>
        <source>comes again in %1</source>
        <translation>%1后重投</translation>
    </message>
    <message>
        <source>ack due in %1</source>
        <translation>%1后需确认</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>by override from this window</source>
        <translation>由本窗口强制操作</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 微秒</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 天 %2 小时</translation>
    </message>
    <message>
        <source>never existed: the sequence was skipped</source>
        <translation>从未存在：此序列号被跳过</translation>
    </message>
</context>
<context>
    <name>jetglass::charts::FlowChart</name>
    <message>
        <source>lowest and highest of each step</source>
        <translation>每步的最低与最高</translation>
    </message>
    <message>
        <source>There are more points than fit: of each step the lowest and the highest is drawn, so no peak is hidden.</source>
        <translation>数据点多于可画的数量：每步画出最低与最高，不会漏掉峰值。</translation>
    </message>
</context>
<context>
    <name>jetglass::charts::PendingChart</name>
    <message>
        <source>Pending per consumer</source>
        <translation>各消费者待处理</translation>
    </message>
</context>
<context>
    <name>jetglass::charts::RateChart</name>
    <message>
        <source>stored</source>
        <translation>已存储</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>已投递</translation>
    </message>
    <message>
        <source>acked</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>Messages per second</source>
        <translation>每秒消息数</translation>
    </message>
</context>
<context>
    <name>jetglass::client::ApiError</name>
    <message>
        <source>The request lacks something or asks for two things at once.</source>
        <translation>请求缺少内容，或同时要求两件事。</translation>
    </message>
    <message>
        <source>There is no consumer of this name on the stream. An ephemeral one may have gone after its inactive_threshold.</source>
        <translation>流上没有此名称的消费者。临时消费者可能已因 inactive_threshold 而消失。</translation>
    </message>
    <message>
        <source>The server does not know a field of this request, or a value has the wrong type.</source>
        <translation>服务器不认识请求中的某个字段，或某个值类型不对。</translation>
    </message>
    <message>
        <source>The stream&apos;s max_consumers is reached. Delete a consumer or raise the limit.</source>
        <translation>已达到流的 max_consumers。请删除一个消费者或提高上限。</translation>
    </message>
    <message>
        <source>No message is stored there: it was removed, or it never existed.</source>
        <translation>那里没有消息：已被移除，或从未存在。</translation>
    </message>
    <message>
        <source>The server runs without JetStream for this account. It needs -js or a jetstream block in its configuration.</source>
        <translation>服务器没有为此账户启用 JetStream。需要 -js 或配置中的 jetstream 块。</translation>
    </message>
    <message>
        <source>A value of the configuration breaks a rule; the server&apos;s text names it.</source>
        <translation>配置中有值违反规则；服务器的说明指出了是哪一个。</translation>
    </message>
    <message>
        <source>The message is larger than the stream&apos;s max_msg_size.</source>
        <translation>消息大于流的 max_msg_size。</translation>
    </message>
    <message>
        <source>A stream&apos;s name cannot be changed.</source>
        <translation>流的名称不能更改。</translation>
    </message>
    <message>
        <source>The message could not be removed; the stream may have deny_delete.</source>
        <translation>无法移除该消息；流可能设置了 deny_delete。</translation>
    </message>
    <message>
        <source>A stream of this name exists with another configuration. Edit it, or choose another name.</source>
        <translation>同名的流已存在，但配置不同。请编辑它，或换一个名称。</translation>
    </message>
    <message>
        <source>There is no stream of this name in this account.</source>
        <translation>此账户中没有这个名称的流。</translation>
    </message>
    <message>
        <source>Nats-Expected-Stream names another stream than the one that captures this subject. Nothing was stored.</source>
        <translation>Nats-Expected-Stream 指定的流与捕获此主题的流不同。未存储任何内容。</translation>
    </message>
    <message>
        <source>Another stream already captures one of these subjects. Two streams of one account may not overlap.</source>
        <translation>另一个流已捕获其中的主题。同一账户的两个流不得重叠。</translation>
    </message>
    <message>
        <source>Nats-Expected-Last-Msg-Id does not match the last stored message. Nothing was stored.</source>
        <translation>Nats-Expected-Last-Msg-Id 与最后存储的消息不符。未存储任何内容。</translation>
    </message>
    <message>
        <source>Somebody else wrote since: the expected last sequence is not the last one any more. Nothing was stored; read again and retry.</source>
        <translation>期间有人写入：期望的最后序列号已不是最后一个。未存储任何内容；请重新读取后再试。</translation>
    </message>
    <message>
        <source>Replicas need a cluster of servers. This is one server, so num_replicas has to be 1.</source>
        <translation>副本需要服务器集群。这里只有一台服务器，num_replicas 必须为 1。</translation>
    </message>
    <message>
        <source>The stream did not store the message: with discard new a full stream refuses what is new. Acks free space only with interest or work-queue retention.</source>
        <translation>流没有存储该消息：使用 discard new 时，满了的流会拒绝新消息。只有 interest 或 workqueue 保留策略下，确认才会释放空间。</translation>
    </message>
    <message>
        <source>On a work-queue stream two consumers may exist only if their filters do not overlap. Let workers share one durable consumer.</source>
        <translation>工作队列流上的两个消费者只有在过滤条件不重叠时才能并存。请让工作进程共用一个持久消费者。</translation>
    </message>
    <message>
        <source>On a work-queue stream every message belongs to one consumer, so filters may not overlap. Let workers share one durable consumer.</source>
        <translation>工作队列流上的每条消息只属于一个消费者，因此过滤条件不得重叠。请让工作进程共用一个持久消费者。</translation>
    </message>
    <message>
        <source>On a work-queue stream a consumer starts with all that is stored: deliver_policy has to be all.</source>
        <translation>工作队列流上的消费者从全部已存消息开始：deliver_policy 必须为 all。</translation>
    </message>
    <message>
        <source>On a work-queue stream a message goes when it is acked, so ack_policy has to be explicit.</source>
        <translation>工作队列流上的消息确认后即移除，因此 ack_policy 必须为 explicit。</translation>
    </message>
    <message>
        <source>A sealed stream never changes again, except by deleting it.</source>
        <translation>封存的流不再改变，只能删除。</translation>
    </message>
    <message>
        <source>The stream was created with deny_purge, which cannot be taken back.</source>
        <translation>流创建时设置了 deny_purge，无法撤销。</translation>
    </message>
    <message>
        <source>Nats-Rollup needs allow_rollup_hdrs on the stream, and its value has to be sub or all.</source>
        <translation>Nats-Rollup 需要流启用 allow_rollup_hdrs，且取值必须为 sub 或 all。</translation>
    </message>
    <message>
        <source>A consumer of this name exists with another configuration. Edit it, or choose another name.</source>
        <translation>同名的消费者已存在，但配置不同。请编辑它，或换一个名称。</translation>
    </message>
    <message>
        <source>Nats-TTL needs allow_msg_ttl on the stream. Nothing was stored.</source>
        <translation>Nats-TTL 需要流启用 allow_msg_ttl。未存储任何内容。</translation>
    </message>
    <message>
        <source>Messages come faster than they can be stored. Wait and send again.</source>
        <translation>消息到来的速度超过存储速度。请稍后重发。</translation>
    </message>
    <message>
        <source>%1 (error %2, code %3)</source>
        <translation>%1（错误 %2，代码 %3）</translation>
    </message>
    <message>
        <source>Nobody answers on this subject (503, no responders).</source>
        <translation>此主题无人应答（503，no responders）。</translation>
    </message>
    <message>
        <source>No answer came in time.</source>
        <translation>未及时收到应答。</translation>
    </message>
    <message>
        <source>There is no connection to the server.</source>
        <translation>没有与服务器的连接。</translation>
    </message>
    <message>
        <source>The request could not be sent: %1</source>
        <translation>无法发送请求：%1</translation>
    </message>
    <message>
        <source>The answer could not be read: %1</source>
        <translation>无法读取应答：%1</translation>
    </message>
    <message>
        <source>No stream captures it and no client subscribes to it.</source>
        <translation>没有流捕获它，也没有客户端订阅它。</translation>
    </message>
    <message>
        <source>A stream with no_ack never answers; otherwise the server is busy, paused or gone.</source>
        <translation>设置了 no_ack 的流从不应答；否则就是服务器繁忙、暂停或已停止。</translation>
    </message>
</context>
<context>
    <name>jetglass::client::Connection</name>
    <message>
        <source>Not connected.</source>
        <translation>未连接。</translation>
    </message>
    <message>
        <source>Connecting to %1 …</source>
        <translation>正在连接 %1……</translation>
    </message>
    <message>
        <source>Connected to %1.</source>
        <translation>已连接到 %1。</translation>
    </message>
    <message>
        <source>The connection to %1 was lost; trying again.</source>
        <translation>与 %1 的连接已断开；正在重试。</translation>
    </message>
    <message>
        <source>The connection to %1 was lost (%2); trying again.</source>
        <translation>与 %1 的连接已断开（%2）；正在重试。</translation>
    </message>
    <message>
        <source>Cannot connect to %1: %2. Trying again.</source>
        <translation>无法连接 %1：%2。正在重试。</translation>
    </message>
</context>
<context>
    <name>jetglass::client::Fetcher</name>
    <message numerus="yes">
        <source>%n message(s) received</source>
        <translation>
            <numerusform>收到 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; the fetch was cancelled.</source>
        <translation>%1；拉取已取消。</translation>
    </message>
    <message>
        <source>%1; the batch is complete.</source>
        <translation>%1；本批已完成。</translation>
    </message>
    <message>
        <source>%1; nothing more is waiting (404 %2).</source>
        <translation>%1；没有更多等待的消息（404 %2）。</translation>
    </message>
    <message>
        <source>%1; the request&apos;s time is over (408 %2).</source>
        <translation>%1；请求已到期（408 %2）。</translation>
    </message>
    <message>
        <source>%1; the server ended the request (409 %2).</source>
        <translation>%1；服务器结束了请求（409 %2）。</translation>
    </message>
    <message>
        <source>Nobody answers: this consumer does not exist, or it is a push consumer (503).</source>
        <translation>无人应答：该消费者不存在，或是推送消费者（503）。</translation>
    </message>
    <message>
        <source>%1; the server did not answer in time.</source>
        <translation>%1；服务器未及时应答。</translation>
    </message>
    <message>
        <source>%1; the request ended with %2 %3.</source>
        <translation>%1；请求以 %2 %3 结束。</translation>
    </message>
</context>
<context>
    <name>jetglass::controllers::ConsumeController</name>
    <message>
        <source>The consumer is gone: nobody takes the answer.</source>
        <translation>消费者已不存在：无人接收应答。</translation>
    </message>
    <message>
        <source>The server did not confirm it.</source>
        <translation>服务器没有确认收到。</translation>
    </message>
    <message>
        <source>It comes again at once, whatever the backoff says.</source>
        <translation>立即重投，不受 backoff 影响。</translation>
    </message>
    <message>
        <source>It keeps its place in max_ack_pending until then.</source>
        <translation>在此之前占用 max_ack_pending 的名额。</translation>
    </message>
    <message>
        <source>Settled by the answer for %1 (delivery %2).</source>
        <translation>已由对 %1（第 %2 次投递）的应答了结。</translation>
    </message>
    <message>
        <source>Late by %1. The server confirms late answers too; whether this one still counted it does not say.</source>
        <translation>晚了 %1。服务器也会回执迟到的应答，但不说明它是否仍然有效。</translation>
    </message>
    <message>
        <source>Late by %1, and it changed nothing: the message was “%2” before and still is. The server confirms such an answer all the same.</source>
        <translation>晚了 %1，没有任何作用：消息此前为“%2”，现在仍是。服务器对这样的应答照样回执。</translation>
    </message>
    <message>
        <source>Late by %1, but it counted: the message was “%2” and is now “%3”.</source>
        <translation>晚了 %1，但仍然有效：消息由“%2”变为“%3”。</translation>
    </message>
    <message>
        <source>Late by %1: the message was “%2”.</source>
        <translation>晚了 %1：消息此前为“%2”。</translation>
    </message>
</context>
<context>
    <name>jetglass::controllers::OverrideController</name>
    <message>
        <source>The consumer is gone: nobody takes the answer.</source>
        <translation>消费者已不存在：无人接收应答。</translation>
    </message>
    <message>
        <source>The server did not confirm it.</source>
        <translation>服务器没有确认收到。</translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::ConfigDialog</name>
    <message>
        <source>The server would refuse this: %1 (error %2).</source>
        <translation>服务器会拒绝：%1（错误 %2）。</translation>
    </message>
    <message>
        <source>Waiting for the server …</source>
        <translation>正在等待服务器……</translation>
    </message>
    <message>
        <source>What this edit changes</source>
        <translation>此次编辑的变更</translation>
    </message>
    <message>
        <source>&amp;Save changes</source>
        <translation>保存更改(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Create</source>
        <translation>创建(&amp;C)</translation>
    </message>
    <message>
        <source>Cance&amp;l</source>
        <translation>取消(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Create without a name</source>
        <translation>创建无名消费者(&amp;C)</translation>
    </message>
    <message>
        <source>It has no name yet. Write one, or press the button to create it without.</source>
        <translation>还没有名称。请填写名称，或按按钮创建无名消费者。</translation>
    </message>
    <message>
        <source>It needs a name.</source>
        <translation>需要一个名称。</translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::ConsumerDialog</name>
    <message>
        <source>Edit the consumer %1 of %2</source>
        <translation>编辑 %2 的消费者 %1</translation>
    </message>
    <message>
        <source>Create a consumer of %1</source>
        <translation>为 %1 创建消费者</translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::DeleteConsumerDialog</name>
    <message>
        <source>The stream keeps its messages: its retention is limits.</source>
        <translation>流保留其消息：保留策略为 limits。</translation>
    </message>
    <message>
        <source>It is the last interest in this stream: the messages that only it held go with it, and what is published after that is not stored at all.</source>
        <translation>它是该流最后的 interest：只由它占住的消息会随之移除，此后发布的消息根本不会存储。</translation>
    </message>
    <message>
        <source>Its interest goes with it: messages that only it had not acked yet leave the stream.</source>
        <translation>它的 interest 随之消失：只剩它未确认的消息会离开流。</translation>
    </message>
    <message>
        <source>The work queue keeps the messages that nobody acked; the next consumer gets them.</source>
        <translation>工作队列保留无人确认的消息；由下一个消费者接收。</translation>
    </message>
    <message>
        <source>Delete the consumer %1 of %2</source>
        <translation>删除 %2 的消费者 %1</translation>
    </message>
    <message>
        <source>&amp;Delete the consumer</source>
        <translation>删除消费者(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>This consumer does not exist any more.</source>
        <translation>该消费者已不存在。</translation>
    </message>
    <message>
        <source>Its place in the stream is forgotten: delivered up to %1, everything acked up to %2. Unanswered messages: %L3; still waiting for it: %L4. A new consumer starts where its own deliver policy says.</source>
        <translation>它在流中的位置会被遗忘：已投递到 %1，全部确认到 %2。未应答 %L3 条，仍在等它 %L4 条。新的消费者从其自身的 deliver policy 开始。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pull request(s) wait now; each is told that the consumer was deleted (409).</source>
        <translation>
            <numerusform>现有 %Ln 个拉取请求在等待；每个请求都会得知消费者已被删除（409）。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::DeleteStreamDialog</name>
    <message>
        <source>Delete the stream %1</source>
        <translation>删除流 %1</translation>
    </message>
    <message>
        <source>&amp;Delete the stream</source>
        <translation>删除流(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Its subjects are free for another stream.</source>
        <translation>它的主题可供其他流使用。</translation>
    </message>
    <message>
        <source>The stream is deleted for good, with its messages.</source>
        <translation>流及其消息将被永久删除。</translation>
    </message>
    <message>
        <source>The stream is deleted for good.</source>
        <translation>流将被永久删除。</translation>
    </message>
    <message numerus="yes">
        <source>The stream is deleted for good, with its messages and %n consumer(s).</source>
        <translation>
            <numerusform>流及其消息和 %n 个消费者将被永久删除。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The stream is deleted for good, with %n consumer(s).</source>
        <translation>
            <numerusform>流及其 %n 个消费者将被永久删除。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::OverrideDialog</name>
    <message>
        <source>No consumer holds a delivery of this message.</source>
        <translation>没有消费者持有此消息的投递。</translation>
    </message>
    <message>
        <source>delivery %1</source>
        <translation>第 %1 次投递</translation>
    </message>
    <message>
        <source>back in %1</source>
        <translation>%1后重投</translation>
    </message>
    <message>
        <source>not pending any more, so there is nothing to override</source>
        <translation>已不再等待应答，无需代答</translation>
    </message>
    <message>
        <source>The client that has it is not told. Its own answer still counts if the message is open when it comes.</source>
        <translation>持有该消息的客户端不会得到通知。若其应答到达时消息仍未了结，该应答仍然有效。</translation>
    </message>
    <message>
        <source>%1 is not told. Its own answer still counts if the message is open when it comes.</source>
        <translation>%1 不会得到通知。若其应答到达时消息仍未了结，该应答仍然有效。</translation>
    </message>
    <message>
        <source>Done, and with it everything before it: this consumer acks all.</source>
        <translation>完成，且之前的所有消息一并完成：该消费者采用全部确认。</translation>
    </message>
    <message>
        <source>Done: it never comes again to this consumer. With interest or work-queue retention the stream may drop it.</source>
        <translation>完成：不再投递给该消费者。采用兴趣或工作队列保留策略时，流可能将其移除。</translation>
    </message>
    <message>
        <source>Not done: it comes again at once, without backoff, to whoever asks next.</source>
        <translation>未完成：立即重新投递给下一个请求者，不经过退避。</translation>
    </message>
    <message>
        <source>Not done: it comes again after this delay and keeps its place in max_ack_pending until then.</source>
        <translation>未完成：经此延迟后重新投递，在此之前仍占用 max_ack_pending 的名额。</translation>
    </message>
    <message>
        <source>Still working: the ack wait starts anew for the client that has it.</source>
        <translation>仍在处理：对持有它的客户端重新开始计算确认等待时间。</translation>
    </message>
    <message>
        <source>Given up, and with it everything before it: this consumer acks all.</source>
        <translation>放弃，且之前的所有消息一并放弃：该消费者采用全部确认。</translation>
    </message>
    <message>
        <source>Given up: it never comes again to this consumer. It stays in the stream unless retention drops it.</source>
        <translation>放弃：不再投递给该消费者。除非保留策略移除，否则仍留在流中。</translation>
    </message>
    <message>
        <source>Sending …</source>
        <translation>正在发送…</translation>
    </message>
    <message>
        <source>Override a delivery of %1 %2</source>
        <translation>代答 %1 %2 的投递</translation>
    </message>
    <message>
        <source>&amp;Consumer</source>
        <translation>消费者(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Same as</source>
        <translation>等同于(&amp;S)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Delay of the nak</source>
        <translation>nak 的延迟</translation>
    </message>
    <message>
        <source>Cance&amp;l</source>
        <translation>取消(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Override</source>
        <translation>代答(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Ack</source>
        <translation>Ack(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Nak</source>
        <translation>Nak(&amp;N)</translation>
    </message>
    <message>
        <source>Nak with &amp;delay</source>
        <translation>延迟 Nak(&amp;D)</translation>
    </message>
    <message>
        <source>In &amp;progress</source>
        <translation>处理中(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Term</source>
        <translation>Term(&amp;T)</translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::PreviewView</name>
    <message>
        <source>Counting what would go …</source>
        <translation>正在统计将移除的内容……</translation>
    </message>
    <message>
        <source>This stream does not exist any more.</source>
        <translation>该流已不存在。</translation>
    </message>
    <message>
        <source>The server would refuse this: %1.</source>
        <translation>服务器会拒绝：%1。</translation>
    </message>
    <message>
        <source>Nothing would be removed.</source>
        <translation>不会移除任何消息。</translation>
    </message>
    <message>
        <source>The first of them</source>
        <translation>其中最前面的</translation>
    </message>
    <message>
        <source>Seq</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储时间</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>What consumers lose</source>
        <translation>消费者失去的</translation>
    </message>
    <message>
        <source>Consumer</source>
        <translation>消费者</translation>
    </message>
    <message>
        <source>never given out</source>
        <translation>从未投递</translation>
    </message>
    <message>
        <source>in flight, unanswered</source>
        <translation>已投递未应答</translation>
    </message>
    <message>
        <source>The stream is empty.</source>
        <translation>流是空的。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) with %1 would be removed for good.</source>
        <translation>
            <numerusform>将永久移除 %Ln 条消息，共 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Sequence %1.</source>
        <translation>序列号 %1。</translation>
    </message>
    <message>
        <source>Sequences %1 to %2.</source>
        <translation>序列号 %1 到 %2。</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) stay.</source>
        <translation>
            <numerusform>保留 %Ln 条消息。</numerusform>
        </translation>
    </message>
    <message>
        <source>The stream jumps to sequence %1, which the next message gets: first becomes %1, last becomes %2.</source>
        <translation>流会跳到序列号 %1，下一条消息将得到它：first 变为 %1，last 变为 %2。</translation>
    </message>
    <message>
        <source>Publishers&apos; message ids are remembered all the same, so a repeated id is still a duplicate until its window ends.</source>
        <translation>发布者的消息 ID 仍会被记住，因此在去重窗口结束之前，重复的 ID 仍算重复。</translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::PurgeDialog</name>
    <message>
        <source>Write the sequence that is the first to stay.</source>
        <translation>请写出第一个要保留的序列号。</translation>
    </message>
    <message>
        <source>Write how many messages stay.</source>
        <translation>请写出要保留的消息数。</translation>
    </message>
    <message>
        <source>The filter is not a subject.</source>
        <translation>过滤条件不是有效的主题。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Purge the stream %1</source>
        <translation>清空流 %1</translation>
    </message>
    <message>
        <source>&amp;All messages</source>
        <translation>全部消息(&amp;A)</translation>
    </message>
    <message>
        <source>All &amp;before the sequence</source>
        <translation>此序列号之前的全部(&amp;B)</translation>
    </message>
    <message>
        <source>This sequence and what follows stays (seq).</source>
        <translation>保留此序列号及其后的消息（seq）。</translation>
    </message>
    <message>
        <source>All but the &amp;newest</source>
        <translation>除最新的之外(&amp;N)</translation>
    </message>
    <message>
        <source>So many messages stay, with a subject below so many of those (keep).</source>
        <translation>保留这么多条；若下方填了主题，则按该主题计（keep）。</translation>
    </message>
    <message>
        <source>&amp;Only the subject</source>
        <translation>仅限主题(&amp;O)</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Remove %Ln message(s)</source>
        <translation>
            <numerusform>移除 %Ln 条消息(&amp;R)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::dialogs::StreamDialog</name>
    <message>
        <source>Edit the stream %1</source>
        <translation>编辑流 %1</translation>
    </message>
    <message>
        <source>Create a stream</source>
        <translation>创建流</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::ConfigDiff</name>
    <message>
        <source>(default)</source>
        <translation>（默认）</translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation>不会有任何变化。</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::ConfigField</name>
    <message>
        <source>&apos;%1&apos; is not a duration. Write times such as 1s, 500ms or 1m30s with blanks between them.</source>
        <translation>“%1”不是时长。请写成 1s、500ms 或 1m30s，以空格分隔。</translation>
    </message>
    <message>
        <source>Each line needs a name, a colon and a value: &apos;%1&apos; has none.</source>
        <translation>每行需要名称、冒号和值：“%1”没有。</translation>
    </message>
    <message>
        <source>Not valid JSON at byte %1: %2.</source>
        <translation>第 %1 字节处不是有效的 JSON：%2。</translation>
    </message>
    <message>
        <source>Write a number such as 1000 or 10k, or nothing for no limit.</source>
        <translation>请写数字，如 1000 或 10k；留空表示不限。</translation>
    </message>
    <message>
        <source>Write a number such as 1000 or 10k, or nothing for the default.</source>
        <translation>请写数字，如 1000 或 10k；留空表示默认值。</translation>
    </message>
    <message>
        <source>Write a size such as 512 KiB or 1 GiB, or nothing for no limit.</source>
        <translation>请写大小，如 512 KiB 或 1 GiB；留空表示不限。</translation>
    </message>
    <message>
        <source>Write a size such as 512 KiB or 1 GiB, or nothing for the default.</source>
        <translation>请写大小，如 512 KiB 或 1 GiB；留空表示默认值。</translation>
    </message>
    <message>
        <source>Write a duration such as 30s, 1m30s, 24h or 7d.</source>
        <translation>请写时长，如 30s、1m30s、24h 或 7d。</translation>
    </message>
    <message>
        <source>Write a time such as 2026-01-31T08:00:00Z.</source>
        <translation>请写时间，如 2026-01-31T08:00:00Z。</translation>
    </message>
    <message>
        <source>“%1” holds a blank: a name has no blank, dot, *, &gt;, / or \ in it.</source>
        <translation>“%1”含有空格：名称不能含空格、点、*、&gt;、/ 或 \。</translation>
    </message>
    <message>
        <source>“%1” holds a %2: a name has no blank, dot, *, &gt;, / or \ in it.</source>
        <translation>“%1”含有 %2：名称不能含空格、点、*、&gt;、/ 或 \。</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::ConfigForm</name>
    <message>
        <source>Once it is on it stays on.</source>
        <translation>开启后不能再关闭。</translation>
    </message>
    <message>
        <source>Fixed at creation. To change it, create another one.</source>
        <translation>创建时即固定。要更改请另建一个。</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>all: from the first stored message</source>
        <translation>all：从第一条已存消息开始</translation>
    </message>
    <message>
        <source>new: only what comes from now on</source>
        <translation>new：只要今后到来的</translation>
    </message>
    <message>
        <source>last: from the last matching message</source>
        <translation>last：从最后一条匹配的消息开始</translation>
    </message>
    <message>
        <source>last per subject: the last message of each subject, then what comes</source>
        <translation>last per subject：每个主题的最后一条，然后是后续消息</translation>
    </message>
    <message>
        <source>from a sequence</source>
        <translation>从某个序列号</translation>
    </message>
    <message>
        <source>from a time</source>
        <translation>从某个时间</translation>
    </message>
    <message>
        <source>explicit: each message is acked by itself</source>
        <translation>explicit：每条消息单独确认</translation>
    </message>
    <message>
        <source>all: an ack settles all before it too</source>
        <translation>all：一次确认也确认之前的全部</translation>
    </message>
    <message>
        <source>none: delivered is done</source>
        <translation>none：投递即完成</translation>
    </message>
    <message>
        <source>flow control: for mirrors and sources</source>
        <translation>flow control：用于镜像与来源</translation>
    </message>
    <message>
        <source>instant: as fast as possible</source>
        <translation>instant：尽可能快</translation>
    </message>
    <message>
        <source>original: at the pace they came in</source>
        <translation>original：按到来时的节奏</translation>
    </message>
    <message>
        <source>none: whoever asks first</source>
        <translation>none：先到先得</translation>
    </message>
    <message>
        <source>overflow: only while much is waiting</source>
        <translation>overflow：仅在积压较多时</translation>
    </message>
    <message>
        <source>pinned client: one client gets all until it goes</source>
        <translation>pinned client：一个客户端独占，直到它离开</translation>
    </message>
    <message>
        <source>prioritized: lower numbers first</source>
        <translation>prioritized：数字小者优先</translation>
    </message>
    <message>
        <source>It was used once, when the consumer was created. Create another consumer to start elsewhere.</source>
        <translation>只在创建消费者时使用一次。要从别处开始，请另建消费者。</translation>
    </message>
    <message>
        <source>Durable name</source>
        <translation>持久名称</translation>
    </message>
    <message>
        <source>A consumer&apos;s name cannot be changed.</source>
        <translation>消费者的名称不能更改。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤</translation>
    </message>
    <message>
        <source>Which of the stream&apos;s subjects it gets, one a line, wildcards allowed. Empty means all.</source>
        <translation>接收流中的哪些主题，每行一个，可用通配符。留空表示全部。</translation>
    </message>
    <message>
        <source>Start with</source>
        <translation>起点</translation>
    </message>
    <message>
        <source>Where in the stream it begins. Read once, at creation.</source>
        <translation>从流的何处开始。只在创建时读取一次。</translation>
    </message>
    <message>
        <source>Start sequence</source>
        <translation>起始序列号</translation>
    </message>
    <message>
        <source>The first sequence that it looks at.</source>
        <translation>它查看的第一个序列号。</translation>
    </message>
    <message>
        <source>Start time</source>
        <translation>起始时间</translation>
    </message>
    <message>
        <source>It begins with the first message stored at or after this time.</source>
        <translation>从此时间或之后存储的第一条消息开始。</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>确认方式</translation>
    </message>
    <message>
        <source>What an application has to answer for each message.</source>
        <translation>应用对每条消息须如何应答。</translation>
    </message>
    <message>
        <source>The ack policy cannot be changed: messages in flight were given out under it.</source>
        <translation>确认策略不能更改：在途消息是按它投递的。</translation>
    </message>
    <message>
        <source>Ack wait</source>
        <translation>确认等待</translation>
    </message>
    <message>
        <source>A message without an answer is given out again after this time, counted from its delivery. Empty means 30 s.</source>
        <translation>未应答的消息自投递起经过此时间后重投。留空为 30 秒。</translation>
    </message>
    <message>
        <source>Most deliveries</source>
        <translation>最多投递次数</translation>
    </message>
    <message>
        <source>After so many deliveries a message is given up. It stays in the stream; an advisory tells. Empty means no limit.</source>
        <translation>投递这么多次后放弃。消息留在流中，并有通告（advisory）。留空表示不限。</translation>
    </message>
    <message>
        <source>Most unanswered</source>
        <translation>最多未应答</translation>
    </message>
    <message>
        <source>Nothing new is given out while so many messages wait for an answer, over all clients together. Empty means 1000.</source>
        <translation>所有客户端合计有这么多消息等待应答时，不再投递新消息。留空为 1000。</translation>
    </message>
    <message>
        <source>Backoff</source>
        <translation>Backoff</translation>
    </message>
    <message>
        <source>Waits after the 1st, 2nd, 3rd … delivery, the last one for all later ones. It replaces the ack wait; a plain nak ignores it.</source>
        <translation>第 1、2、3……次投递后的等待，最后一个用于之后各次。它取代确认等待；普通 nak 不受其影响。</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>节奏</translation>
    </message>
    <message>
        <source>How fast stored messages are given out.</source>
        <translation>已存消息以多快的速度投递。</translation>
    </message>
    <message>
        <source>The replay policy cannot be changed.</source>
        <translation>重放策略不能更改。</translation>
    </message>
    <message>
        <source>Headers only</source>
        <translation>仅消息头</translation>
    </message>
    <message>
        <source>Leaves the payload out and tells its size in Nats-Msg-Size.</source>
        <translation>不含负载，以 Nats-Msg-Size 给出其大小。</translation>
    </message>
    <message>
        <source>Goes after</source>
        <translation>闲置移除</translation>
    </message>
    <message>
        <source>A consumer that nobody uses for so long is deleted. Ephemeral ones have 5 s if nothing is said.</source>
        <translation>这么久无人使用的消费者会被删除。临时消费者默认为 5 秒。</translation>
    </message>
    <message>
        <source>State in memory</source>
        <translation>状态存于内存</translation>
    </message>
    <message>
        <source>Forgets its place at a restart.</source>
        <translation>重启后忘记其位置。</translation>
    </message>
    <message>
        <source>The storage of a consumer cannot be changed.</source>
        <translation>消费者的存储方式不能更改。</translation>
    </message>
    <message>
        <source>Sample acks</source>
        <translation>确认采样</translation>
    </message>
    <message>
        <source>For how many percent of the acks a metric is published, such as 100%.</source>
        <translation>对多大比例的确认发布指标，如 100%。</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>Copies of its state in a cluster. Empty means as many as the stream has.</source>
        <translation>其状态在集群中的副本数。留空则与流相同。</translation>
    </message>
    <message>
        <source>Most waiting requests</source>
        <translation>最多等待请求</translation>
    </message>
    <message>
        <source>How many pull requests may wait at once. Empty means 512.</source>
        <translation>同时可等待的拉取请求数。留空为 512。</translation>
    </message>
    <message>
        <source>The number of waiting requests cannot be changed.</source>
        <translation>等待请求的数量不能更改。</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>最大批量</translation>
    </message>
    <message>
        <source>A pull request may not ask for more messages than this.</source>
        <translation>一个拉取请求不能要求更多消息。</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>最长等待</translation>
    </message>
    <message>
        <source>A pull request may not wait longer than this.</source>
        <translation>拉取请求不能等待更久。</translation>
    </message>
    <message>
        <source>Largest answer</source>
        <translation>最大应答</translation>
    </message>
    <message>
        <source>A pull request may not ask for more bytes than this.</source>
        <translation>一个拉取请求不能要求更多字节。</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>优先级</translation>
    </message>
    <message>
        <source>Which of several clients is served.</source>
        <translation>多个客户端中服务哪一个。</translation>
    </message>
    <message>
        <source>Priority groups</source>
        <translation>优先级组</translation>
    </message>
    <message>
        <source>Names that clients ask with; one group for now.</source>
        <translation>客户端请求时使用的名称；目前只能有一个组。</translation>
    </message>
    <message>
        <source>Pin time</source>
        <translation>固定时长</translation>
    </message>
    <message>
        <source>How long a pinned client may be silent.</source>
        <translation>被固定的客户端可静默多久。</translation>
    </message>
    <message>
        <source>Deliver to</source>
        <translation>投递到</translation>
    </message>
    <message>
        <source>Makes it a push consumer: messages are published to this subject. Empty means that clients pull.</source>
        <translation>使其成为推送消费者：消息发布到此主题。留空则由客户端拉取。</translation>
    </message>
    <message>
        <source>Queue group</source>
        <translation>队列组</translation>
    </message>
    <message>
        <source>Subscribers of this queue group share the messages.</source>
        <translation>此队列组的订阅者分摊消息。</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>心跳</translation>
    </message>
    <message>
        <source>A sign of life while nothing is delivered.</source>
        <translation>没有投递时的存活信号。</translation>
    </message>
    <message>
        <source>Heartbeats cannot be changed.</source>
        <translation>心跳不能更改。</translation>
    </message>
    <message>
        <source>Flow control</source>
        <translation>流控</translation>
    </message>
    <message>
        <source>The server waits for a slow subscriber. Needs a heartbeat.</source>
        <translation>服务器会等待较慢的订阅者。需要心跳。</translation>
    </message>
    <message>
        <source>Flow control cannot be changed.</source>
        <translation>流控不能更改。</translation>
    </message>
    <message>
        <source>Rate limit</source>
        <translation>限速</translation>
    </message>
    <message>
        <source>Bits per second at most.</source>
        <translation>每秒最多比特数。</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>描述</translation>
    </message>
    <message>
        <source>Free text, up to 4096 bytes.</source>
        <translation>任意文本，最多 4096 字节。</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Names and values of your own, &apos;name: value&apos; a line.</source>
        <translation>自定义的名称与值，每行一个 “name: value”。</translation>
    </message>
    <message>
        <source>Paused until</source>
        <translation>暂停至</translation>
    </message>
    <message>
        <source>It gives out nothing before this time. Counts at creation only.</source>
        <translation>此时间之前不投递任何消息。仅在创建时有效。</translation>
    </message>
    <message>
        <source>An existing consumer is paused and resumed by its own command.</source>
        <translation>已存在的消费者通过专门的命令暂停和恢复。</translation>
    </message>
    <message>
        <source>Direct</source>
        <translation>直接</translation>
    </message>
    <message>
        <source>For the server&apos;s own mirrors and sources; hidden from lists.</source>
        <translation>供服务器自身的镜像与来源使用；不在列表中显示。</translation>
    </message>
    <message>
        <source>Sourcing</source>
        <translation>来源复制</translation>
    </message>
    <message>
        <source>For the server&apos;s own sources.</source>
        <translation>供服务器自身的来源使用。</translation>
    </message>
    <message>
        <source>Delivery</source>
        <translation>投递</translation>
    </message>
    <message>
        <source>Pull consumers</source>
        <translation>拉取消费者</translation>
    </message>
    <message>
        <source>Push consumers</source>
        <translation>推送消费者</translation>
    </message>
    <message>
        <source>Description and internals</source>
        <translation>描述与内部</translation>
    </message>
    <message>
        <source>limits: messages stay until a limit removes them</source>
        <translation>limits：消息保留到触及限制为止</translation>
    </message>
    <message>
        <source>interest: until every interested consumer has acked</source>
        <translation>interest：直到所有相关消费者都确认</translation>
    </message>
    <message>
        <source>work queue: until one consumer has acked</source>
        <translation>workqueue：直到有一个消费者确认</translation>
    </message>
    <message>
        <source>file: survives a restart</source>
        <translation>file：重启后仍在</translation>
    </message>
    <message>
        <source>memory: empty after a restart</source>
        <translation>memory：重启后清空</translation>
    </message>
    <message>
        <source>old: the oldest message makes room</source>
        <translation>old：最旧的消息让出空间</translation>
    </message>
    <message>
        <source>new: the new message is refused</source>
        <translation>new：拒绝新消息</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>s2: compresses sealed blocks on disk</source>
        <translation>s2：压缩磁盘上已封存的块</translation>
    </message>
    <message>
        <source>default: acked after it is written</source>
        <translation>default：写入后再确认</translation>
    </message>
    <message>
        <source>async: acked before it is written</source>
        <translation>async：写入前即确认</translation>
    </message>
    <message>
        <source>How clients name the stream. Up to 255 characters; no blank, dot, *, &gt;, / or \.</source>
        <translation>客户端使用的流名称。最多 255 个字符；不能含空格、点、*、&gt;、/ 或 \。</translation>
    </message>
    <message>
        <source>A stream&apos;s name cannot be changed.</source>
        <translation>流的名称不能更改。</translation>
    </message>
    <message>
        <source>Subjects</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>What the stream captures, one subject a line, wildcards allowed. Nothing means the stream&apos;s own name.</source>
        <translation>流捕获的主题，每行一个，可用通配符。留空则为流自身的名称。</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>保留策略</translation>
    </message>
    <message>
        <source>When a message leaves the stream although no limit removes it.</source>
        <translation>在没有限制移除的情况下，消息何时离开流。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Where messages are kept.</source>
        <translation>消息保存在哪里。</translation>
    </message>
    <message>
        <source>The storage of a stream cannot be changed: its messages lie there.</source>
        <translation>流的存储方式不能更改：消息就存放在那里。</translation>
    </message>
    <message>
        <source>Most messages</source>
        <translation>最多消息数</translation>
    </message>
    <message>
        <source>Limit on the number of messages. Empty means no limit.</source>
        <translation>消息数量上限。留空表示不限。</translation>
    </message>
    <message>
        <source>Most bytes</source>
        <translation>最多字节</translation>
    </message>
    <message>
        <source>Limit on the bytes of all messages, headers and subjects included. Empty means no limit.</source>
        <translation>全部消息的字节上限，含消息头和主题。留空表示不限。</translation>
    </message>
    <message>
        <source>Oldest age</source>
        <translation>最长保留</translation>
    </message>
    <message>
        <source>A message older than this goes, whether it was consumed or not. Empty means no limit.</source>
        <translation>超过此时间的消息会移除，无论是否已消费。留空表示不限。</translation>
    </message>
    <message>
        <source>When a limit is reached</source>
        <translation>触及限制时</translation>
    </message>
    <message>
        <source>What makes room for a new message.</source>
        <translation>如何为新消息腾出空间。</translation>
    </message>
    <message>
        <source>Duplicate window</source>
        <translation>去重窗口</translation>
    </message>
    <message>
        <source>How long a Nats-Msg-Id is remembered from first sight. Empty means 2 minutes.</source>
        <translation>Nats-Msg-Id 从首次出现起记住多久。留空为 2 分钟。</translation>
    </message>
    <message>
        <source>Most per subject</source>
        <translation>每主题最多</translation>
    </message>
    <message>
        <source>Limit on the messages of each subject. Empty means no limit.</source>
        <translation>每个主题的消息上限。留空表示不限。</translation>
    </message>
    <message>
        <source>Refuse per subject</source>
        <translation>按主题拒绝</translation>
    </message>
    <message>
        <source>With discard new, refuses a message when its subject is full instead of removing that subject&apos;s oldest.</source>
        <translation>配合 discard new：主题已满时拒绝消息，而不是移除该主题最旧的消息。</translation>
    </message>
    <message>
        <source>Largest message</source>
        <translation>最大消息</translation>
    </message>
    <message>
        <source>Headers and payload of one message. Empty means no limit.</source>
        <translation>单条消息的消息头与负载。留空表示不限。</translation>
    </message>
    <message>
        <source>Most consumers</source>
        <translation>最多消费者</translation>
    </message>
    <message>
        <source>Limit on the number of consumers. Empty means no limit.</source>
        <translation>消费者数量上限。留空表示不限。</translation>
    </message>
    <message>
        <source>Consumers: most unanswered</source>
        <translation>消费者：最多未应答</translation>
    </message>
    <message>
        <source>No consumer may allow more unanswered messages than this.</source>
        <translation>任何消费者允许的未应答消息都不得超过此数。</translation>
    </message>
    <message>
        <source>Consumers: longest inactive</source>
        <translation>消费者：最长闲置</translation>
    </message>
    <message>
        <source>No consumer may stay longer than this without being used.</source>
        <translation>任何消费者闲置都不得超过此时长。</translation>
    </message>
    <message>
        <source>No pub acks</source>
        <translation>不发布确认</translation>
    </message>
    <message>
        <source>Publishers get no answer at all, not even an error.</source>
        <translation>发布者收不到任何应答，连错误也没有。</translation>
    </message>
    <message>
        <source>Copies on different servers of a cluster. One server can hold one copy.</source>
        <translation>集群中不同服务器上的副本。单台服务器只能存一份。</translation>
    </message>
    <message>
        <source>No deletes</source>
        <translation>禁止删除</translation>
    </message>
    <message>
        <source>Single messages cannot be deleted through the API.</source>
        <translation>不能通过 API 删除单条消息。</translation>
    </message>
    <message>
        <source>No purges</source>
        <translation>禁止清空</translation>
    </message>
    <message>
        <source>The stream cannot be purged.</source>
        <translation>不能清空该流。</translation>
    </message>
    <message>
        <source>Sealed</source>
        <translation>已封存</translation>
    </message>
    <message>
        <source>Nothing is added or removed any more, for ever. Only an existing stream can be sealed.</source>
        <translation>永远不再添加或移除。只有已存在的流才能封存。</translation>
    </message>
    <message>
        <source>Roll-ups</source>
        <translation>Rollup</translation>
    </message>
    <message>
        <source>A message with Nats-Rollup removes all earlier ones of its subject or of the stream.</source>
        <translation>带 Nats-Rollup 的消息会移除该主题或整个流之前的全部消息。</translation>
    </message>
    <message>
        <source>Direct get</source>
        <translation>直接读取</translation>
    </message>
    <message>
        <source>Clients may read single messages fast, without a consumer (DIRECT.GET).</source>
        <translation>客户端无需消费者即可快速读取单条消息（DIRECT.GET）。</translation>
    </message>
    <message>
        <source>Lifetime per message</source>
        <translation>单条消息存活时间</translation>
    </message>
    <message>
        <source>A message may carry Nats-TTL and goes after that time.</source>
        <translation>消息可带 Nats-TTL，到时移除。</translation>
    </message>
    <message>
        <source>Delete markers</source>
        <translation>删除标记</translation>
    </message>
    <message>
        <source>When age removes the last message of a subject, a marker stays this long. Needs lifetimes and roll-ups.</source>
        <translation>主题的最后一条消息因超龄移除时，标记保留这么久。需要存活时间与 rollup。</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Every message adds to a number per subject (Nats-Incr).</source>
        <translation>每条消息累加到其主题的数值（Nats-Incr）。</translation>
    </message>
    <message>
        <source>A stream cannot become or stop being a counter.</source>
        <translation>流不能变为计数器，也不能不再是计数器。</translation>
    </message>
    <message>
        <source>Atomic batches</source>
        <translation>原子批次</translation>
    </message>
    <message>
        <source>Several messages are stored all together or not at all.</source>
        <translation>多条消息要么全部存储，要么都不存储。</translation>
    </message>
    <message>
        <source>Fast batches</source>
        <translation>快速批次</translation>
    </message>
    <message>
        <source>A publisher sends many messages with few acks.</source>
        <translation>发布者以很少的确认发送大量消息。</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>定时</translation>
    </message>
    <message>
        <source>A stored message may say when it is published.</source>
        <translation>存储的消息可指定何时发布。</translation>
    </message>
    <message>
        <source>Transform: from</source>
        <translation>转换：从</translation>
    </message>
    <message>
        <source>Subjects that match are renamed before they are stored.</source>
        <translation>匹配的主题在存储前改名。</translation>
    </message>
    <message>
        <source>Transform: to</source>
        <translation>转换：到</translation>
    </message>
    <message>
        <source>The new subject, with {{wildcard(1)}} and the like.</source>
        <translation>新主题，可用 {{wildcard(1)}} 等。</translation>
    </message>
    <message>
        <source>Republish: from</source>
        <translation>再发布：从</translation>
    </message>
    <message>
        <source>Stored messages that match are published again. Empty means all.</source>
        <translation>匹配的已存消息会再次发布。留空表示全部。</translation>
    </message>
    <message>
        <source>Republish: to</source>
        <translation>再发布：到</translation>
    </message>
    <message>
        <source>The subject they are published to.</source>
        <translation>发布到的主题。</translation>
    </message>
    <message>
        <source>Republish headers only</source>
        <translation>再发布仅消息头</translation>
    </message>
    <message>
        <source>Leaves the payload out.</source>
        <translation>不含负载。</translation>
    </message>
    <message>
        <source>Mirror of</source>
        <translation>镜像自</translation>
    </message>
    <message>
        <source>This stream is a copy of that one, same sequences. It has no subjects of its own.</source>
        <translation>此流是那个流的副本，序列号相同，自身没有主题。</translation>
    </message>
    <message>
        <source>A mirror can be taken away by the API, never added or changed.</source>
        <translation>API 可以去掉镜像，但不能添加或更改。</translation>
    </message>
    <message>
        <source>Mirror: filter</source>
        <translation>镜像：过滤</translation>
    </message>
    <message>
        <source>Copies only what matches.</source>
        <translation>只复制匹配的消息。</translation>
    </message>
    <message>
        <source>Mirror: start sequence</source>
        <translation>镜像：起始序列号</translation>
    </message>
    <message>
        <source>Copies from this sequence of the origin on.</source>
        <translation>从源流的此序列号开始复制。</translation>
    </message>
    <message>
        <source>Mirror: start time</source>
        <translation>镜像：起始时间</translation>
    </message>
    <message>
        <source>Copies what was stored from this time on.</source>
        <translation>复制此时间之后存储的消息。</translation>
    </message>
    <message>
        <source>Mirror: transforms</source>
        <translation>镜像：转换</translation>
    </message>
    <message>
        <source>A list as JSON: [{&quot;src&quot;: &quot;a.&gt;&quot;, &quot;dest&quot;: &quot;b.&gt;&quot;}].</source>
        <translation>JSON 列表：[{&quot;src&quot;: &quot;a.&gt;&quot;, &quot;dest&quot;: &quot;b.&gt;&quot;}]。</translation>
    </message>
    <message>
        <source>Mirror: other domain</source>
        <translation>镜像：其他域</translation>
    </message>
    <message>
        <source>As JSON: {&quot;api&quot;: &quot;$JS.hub.API&quot;, &quot;deliver&quot;: &quot;deliver.hub&quot;}.</source>
        <translation>JSON：{&quot;api&quot;: &quot;$JS.hub.API&quot;, &quot;deliver&quot;: &quot;deliver.hub&quot;}。</translation>
    </message>
    <message>
        <source>Mirror answers direct gets</source>
        <translation>镜像应答直接读取</translation>
    </message>
    <message>
        <source>The mirror answers for the origin too.</source>
        <translation>镜像也代源流应答。</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Streams to collect from, as JSON: [{&quot;name&quot;: &quot;A&quot;, &quot;filter_subject&quot;: &quot;a.&gt;&quot;}].</source>
        <translation>要汇集的流，JSON：[{&quot;name&quot;: &quot;A&quot;, &quot;filter_subject&quot;: &quot;a.&gt;&quot;}]。</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>压缩</translation>
    </message>
    <message>
        <source>How blocks on disk are compressed.</source>
        <translation>磁盘上的块如何压缩。</translation>
    </message>
    <message>
        <source>Persistence</source>
        <translation>持久化</translation>
    </message>
    <message>
        <source>Whether the pub ack waits for the write.</source>
        <translation>发布确认是否等待写入。</translation>
    </message>
    <message>
        <source>The persistence of a stream cannot be changed.</source>
        <translation>流的持久化方式不能更改。</translation>
    </message>
    <message>
        <source>First sequence</source>
        <translation>起始序列号</translation>
    </message>
    <message>
        <source>The first message gets this number. Has no effect later.</source>
        <translation>第一条消息使用此编号。之后无效。</translation>
    </message>
    <message>
        <source>It counts only for the first message of a new stream.</source>
        <translation>只对新流的第一条消息有效。</translation>
    </message>
    <message>
        <source>Placement: cluster</source>
        <translation>放置：集群</translation>
    </message>
    <message>
        <source>Which cluster holds the stream. Has no effect on one server.</source>
        <translation>由哪个集群存放此流。单台服务器上无效。</translation>
    </message>
    <message>
        <source>Placement: tags</source>
        <translation>放置：标签</translation>
    </message>
    <message>
        <source>Servers with these tags hold it, one a line. Has no effect on one server.</source>
        <translation>由带这些标签的服务器存放，每行一个。单台服务器上无效。</translation>
    </message>
    <message>
        <source>More limits and acks</source>
        <translation>更多限制与确认</translation>
    </message>
    <message>
        <source>What is allowed</source>
        <translation>允许的操作</translation>
    </message>
    <message>
        <source>Copies and renaming</source>
        <translation>复制与改名</translation>
    </message>
    <message>
        <source>Description and storage</source>
        <translation>描述与存储</translation>
    </message>
    <message>
        <source>Keeps its place although nobody uses it. No blank, dot, *, &gt;, / or \. Leave it empty for an ephemeral consumer, which goes by itself.</source>
        <translation>即使无人使用也保留其位置。不能含空格、点、*、&gt;、/ 或 \。留空则为临时消费者，会自动消失。</translation>
    </message>
    <message>
        <source>Name of an ephemeral consumer, no blank, dot, *, &gt;, / or \. Empty: the durable name, or one that the server makes up.</source>
        <translation>临时消费者的名称，不能含空格、点、*、&gt;、/ 或 \。留空：使用持久名称，或由服务器生成。</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::ConsumerForm</name>
    <message>
        <source>The backoff replaces it: its first value is the ack wait.</source>
        <translation>由 backoff 取代：其第一个值就是确认等待。</translation>
    </message>
    <message>
        <source>Copies need a cluster. One server refuses them with error 10074, and so does this broker.</source>
        <translation>副本需要集群。单台服务器以错误 10074 拒绝，本服务器也一样。</translation>
    </message>
    <message>
        <source>On a work queue the filters of two consumers may not overlap; workers share one consumer instead.</source>
        <translation>工作队列上两个消费者的过滤条件不得重叠；请让工作进程共用一个消费者。</translation>
    </message>
    <message>
        <source>A durable consumer has this name and stays until it is deleted. Without it the consumer is ephemeral and goes a few seconds after its last use.</source>
        <translation>持久消费者使用此名称，直到被删除才消失。不填则为临时消费者，最后一次使用几秒后即消失。</translation>
    </message>
    <message>
        <source>What an ephemeral consumer is called. It does not make it stay: only a durable name does.</source>
        <translation>临时消费者的名称。它不会使消费者保留下来：只有持久名称才会。</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::SameAsView</name>
    <message>
        <source>The same as</source>
        <translation>等同于</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copies this text to the clipboard.</source>
        <translation>将此文本复制到剪贴板。</translation>
    </message>
    <message>
        <source>The same action as a command or program</source>
        <translation>同一操作的命令或程序</translation>
    </message>
    <message>
        <source>Language of the text</source>
        <translation>文本的语言</translation>
    </message>
</context>
<context>
    <name>jetglass::forms::StreamForm</name>
    <message>
        <source>Copies need a cluster of at least as many servers. One server refuses them with error 10074, and so does this broker.</source>
        <translation>副本至少需要同样多服务器的集群。单台服务器以错误 10074 拒绝，本服务器也一样。</translation>
    </message>
    <message>
        <source>A mirror has no subjects: messages come from its origin only.</source>
        <translation>镜像没有主题：消息只来自源流。</translation>
    </message>
    <message>
        <source>A work queue cannot become another kind of stream.</source>
        <translation>工作队列不能变成其他类型的流。</translation>
    </message>
    <message>
        <source>Limits and interest can be changed into each other, a work queue cannot be made from either.</source>
        <translation>limits 与 interest 可以互相更改，但都不能改成 workqueue。</translation>
    </message>
    <message>
        <source>The stream %1 captures %2 already.</source>
        <translation>流 %1 已捕获 %2。</translation>
    </message>
    <message>
        <source>%1 overlaps %2 of the stream %3.</source>
        <translation>%1 与流 %3 的 %2 重叠。</translation>
    </message>
</context>
<context>
    <name>jetglass::lanes::LaneView</name>
    <message>
        <source>Follow the newest message again (End)</source>
        <translation>重新跟随最新消息（End）</translation>
    </message>
    <message>
        <source>Messages and what each consumer has done with them</source>
        <translation>消息以及各消费者对它们的处理</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>回到最新</translation>
    </message>
    <message numerus="yes">
        <source>Back to live · %n new</source>
        <translation>
            <numerusform>回到最新 · %n 条新消息</numerusform>
        </translation>
    </message>
    <message>
        <source>Select a stream to see its messages and consumers.</source>
        <translation>选择一个流以查看其消息和消费者。</translation>
    </message>
    <message>
        <source>The stream is empty. Publish a message to see it here.</source>
        <translation>流是空的。发布一条消息即可在此看到。</translation>
    </message>
</context>
<context>
    <name>jetglass::lanes::LegendStrip</name>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>No longer in the stream: by a limit, an ack, a purge or by hand. Its cause stands in the list of removals.</source>
        <translation>已不在流中：因限制、确认、清空或手动删除。原因见移除记录。</translation>
    </message>
    <message>
        <source>never existed</source>
        <translation>从未存在</translation>
    </message>
    <message>
        <source>No message ever had this sequence: the stream began behind it (first_seq), a purge went beyond the last message, or a mirror&apos;s origin lacked it.</source>
        <translation>从来没有消息使用过此序列号：流从其后开始（first_seq），清除越过了最后一条消息，或镜像的源流中没有它。</translation>
    </message>
</context>
<context>
    <name>jetglass::messages::MessageTable</name>
    <message>
        <source>Sequence</source>
        <translation>序列号</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存储时间</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>消息头</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Whether the message has headers</source>
        <translation>消息是否带消息头</translation>
    </message>
    <message>
        <source>Messages of the stream</source>
        <translation>流中的消息</translation>
    </message>
    <message>
        <source>message %1</source>
        <translation>消息 %1</translation>
    </message>
    <message>
        <source>message %1, %2, %3</source>
        <translation>消息 %1，%2，%3</translation>
    </message>
    <message>
        <source>Select a stream to see its messages.</source>
        <translation>选择一个流以查看其消息。</translation>
    </message>
    <message>
        <source>No messages.</source>
        <translation>没有消息。</translation>
    </message>
</context>
<context>
    <name>jetglass::minimap::OverviewStrip</name>
    <message>
        <source>Whole stream</source>
        <translation>整个流</translation>
    </message>
    <message>
        <source>The whole stream; the frame is what the lanes show. Drag it to move.</source>
        <translation>整个流；方框是泳道显示的部分，拖动即可移动。</translation>
    </message>
    <message>
        <source>whole stream</source>
        <translation>整个流</translation>
    </message>
</context>
<context>
    <name>jetglass::models::ClientDirectory</name>
    <message>
        <source>client %1</source>
        <translation>客户端 %1</translation>
    </message>
    <message>
        <source>override from this window</source>
        <translation>本窗口代答</translation>
    </message>
    <message>
        <source>this window</source>
        <translation>本窗口</translation>
    </message>
</context>
<context>
    <name>jetglass::models::EventLogModel</name>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列号</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>a consumer</source>
        <translation>某个消费者</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>the original is %1</source>
        <translation>原消息是 %1</translation>
    </message>
    <message>
        <source>up to %1 · %2</source>
        <translation>至 %1 · %2</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>直到 %1</translation>
    </message>
    <message>
        <source>ack due %1</source>
        <translation>需在 %1 前确认</translation>
    </message>
    <message>
        <source>back at %1, keeps its slot</source>
        <translation>%1 重投，占用名额</translation>
    </message>
    <message>
        <source>comes again at once</source>
        <translation>立即重投</translation>
    </message>
    <message>
        <source>ack now due %1</source>
        <translation>改为 %1 前确认</translation>
    </message>
    <message>
        <source>delivery %1 was not acked in time</source>
        <translation>第 %1 次投递未及时确认</translation>
    </message>
    <message numerus="yes">
        <source>%n deliveries without an ack; it stays in the stream</source>
        <translation>
            <numerusform>投递 %n 次均未确认；仍留在流中</numerusform>
        </translation>
    </message>
    <message>
        <source>by flow control</source>
        <translation>由于流控</translation>
    </message>
    <message>
        <source>every slot is held (max_ack_pending)</source>
        <translation>名额全部占满（max_ack_pending）</translation>
    </message>
    <message>
        <source>asks for %1</source>
        <translation>请求 %1 条</translation>
    </message>
    <message>
        <source>%1 left in the request</source>
        <translation>请求还剩 %1 条</translation>
    </message>
    <message>
        <source>request served</source>
        <translation>请求已满足</translation>
    </message>
    <message>
        <source>status %1</source>
        <translation>状态 %1</translation>
    </message>
    <message>
        <source>number %1 of its batch</source>
        <translation>批次中的第 %1 条</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>published as %1</source>
        <translation>发布为 %1</translation>
    </message>
    <message>
        <source>fires at %1</source>
        <translation>%1 触发</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) by filter</source>
        <translation>
            <numerusform>按过滤 %Ln 条消息</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) in one ack</source>
        <translation>
            <numerusform>一次确认 %Ln 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (override)</source>
        <translation>%1（代答）</translation>
    </message>
    <message>
        <source>redelivered after delay</source>
        <translation>延迟后重新投递</translation>
    </message>
    <message>
        <source>the delay of its nak is over</source>
        <translation>nak 的延迟已过</translation>
    </message>
</context>
<context>
    <name>jetglass::models::LaneFeed</name>
    <message>
        <source>floor waits for %1 (due again)</source>
        <translation>floor 在等 %1（待重投）</translation>
    </message>
    <message>
        <source>floor waits for %1</source>
        <translation>floor 在等 %1</translation>
    </message>
    <message>
        <source>floor waits for %1 (delivery %2, back at %3)</source>
        <translation>floor 在等 %1（第 %2 次投递，%3 重投）</translation>
    </message>
    <message>
        <source>pull: %1 left · %2</source>
        <translation>拉取：剩 %1 · %2</translation>
    </message>
    <message>
        <source>pull: %1 left</source>
        <translation>拉取：剩 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 missing between</source>
        <translation>中间缺 %1 条</translation>
    </message>
</context>
<context>
    <name>jetglass::models::StreamTreeModel</name>
    <message>
        <source>Streams</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Key-value buckets</source>
        <translation>键值桶</translation>
    </message>
    <message>
        <source>Object stores</source>
        <translation>对象存储</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>停滞</translation>
    </message>
    <message>
        <source>%1
%2 messages (messages), %3 (bytes)
sequences %4 to %5 (first_seq, last_seq)</source>
        <translation>%1
%2 条消息（messages），%3（bytes）
序列号 %4 到 %5（first_seq, last_seq）</translation>
    </message>
    <message>
        <source>%1
%2 not delivered yet (num_pending)
%3 delivered, ack awaited (num_ack_pending)
%4 delivered more than once (num_redelivered)
%5 pull requests waiting (num_waiting)</source>
        <translation>%1
%2 条尚未投递（num_pending）
%3 条已投递待确认（num_ack_pending）
%4 条投递过不止一次（num_redelivered）
%5 个拉取请求在等待（num_waiting）</translation>
    </message>
    <message>
        <source>mirror</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>push</source>
        <translation>推送</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>拉取</translation>
    </message>
    <message>
        <source>no origin</source>
        <translation>无来源</translation>
    </message>
    <message>
        <source>%1 behind</source>
        <translation>落后 %1</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ActivityPanel</name>
    <message>
        <source>never</source>
        <translation>永不</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Deliveries</source>
        <translation>投递</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Streams and clients</source>
        <translation>流与客户端</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>Pub acks, floors, served requests, heartbeats</source>
        <translation>发布确认、floor、已满足的请求、心跳</translation>
    </message>
    <message>
        <source>All streams</source>
        <translation>全部流</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Hold still</source>
        <translation>暂停滚动</translation>
    </message>
    <message>
        <source>Stops the list, not the broker. What comes meanwhile is kept.</source>
        <translation>只停住列表，不影响服务器。期间到来的内容会保留。</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Removals</source>
        <translation>移除记录</translation>
    </message>
    <message>
        <source>Message ids</source>
        <translation>消息 ID</translation>
    </message>
    <message>
        <source>Pull requests</source>
        <translation>拉取请求</translation>
    </message>
    <message>
        <source>The dedup window (duplicate_window): ids that would be recognized as duplicates</source>
        <translation>去重窗口（duplicate_window）：会被识别为重复的 ID</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>序列号</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>By</source>
        <translation>操作者</translation>
    </message>
    <message>
        <source>Message id</source>
        <translation>消息 ID</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列号</translation>
    </message>
    <message>
        <source>Remembered for</source>
        <translation>还会记住</translation>
    </message>
    <message>
        <source>Consumer</source>
        <translation>消费者</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Messages left</source>
        <translation>剩余消息</translation>
    </message>
    <message>
        <source>Bytes left</source>
        <translation>剩余字节</translation>
    </message>
    <message>
        <source>Ends in</source>
        <translation>到期</translation>
    </message>
    <message>
        <source>Reply subject</source>
        <translation>应答主题</translation>
    </message>
    <message>
        <source>Only %1 ✕</source>
        <translation>仅 %1 ✕</translation>
    </message>
    <message>
        <source>Show events of all messages again</source>
        <translation>重新显示全部消息的事件</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Which kinds of events are listed</source>
        <translation>列出哪些类型的事件</translation>
    </message>
    <message>
        <source>not all are listed (%1)</source>
        <translation>未全部列出（%1）</translation>
    </message>
    <message>
        <source>Around this time events came too fast to be listed one by one. Counts and lanes are exact.</source>
        <translation>此时事件来得太快，无法逐条列出。计数和泳道是准确的。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ChartsPanel</name>
    <message>
        <source>Rates</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>Pending</source>
        <translation>待处理</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ClientsPage</name>
    <message>
        <source>Written for this client and not yet taken by it</source>
        <translation>已为该客户端写出但尚未取走</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s) to %1</source>
        <translation>
            <numerusform>%n 个连接到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Number</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>客户端库</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Subscriptions</source>
        <translation>订阅数</translation>
    </message>
    <message>
        <source>In</source>
        <translation>流入</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>流出</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>积压</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ConfigPage</name>
    <message>
        <source>Consumer %1</source>
        <translation>消费者 %1</translation>
    </message>
    <message>
        <source>Stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置项</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>In NATS</source>
        <translation>NATS 术语</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ConsumeHeldModel</name>
    <message>
        <source>answer sent …</source>
        <translation>应答已发送……</translation>
    </message>
    <message>
        <source>acked</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>no ack needed</source>
        <translation>无需确认</translation>
    </message>
    <message>
        <source>not confirmed</source>
        <translation>未获确认</translation>
    </message>
    <message>
        <source>Seq</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Behind it</source>
        <translation>其后</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Position in the stream (stream sequence).</source>
        <translation>在流中的位置（stream sequence）。</translation>
    </message>
    <message>
        <source>How often this consumer has been given this message (num_delivered).</source>
        <translation>该消费者收到此消息的次数（num_delivered）。</translation>
    </message>
    <message>
        <source>Matching messages that waited behind it at that moment (num_pending).</source>
        <translation>当时排在其后的匹配消息数（num_pending）。</translation>
    </message>
    <message>
        <source>late · no effect</source>
        <translation>迟到 · 无效</translation>
    </message>
    <message>
        <source>in progress · %1 s</source>
        <translation>处理中 · %1 秒</translation>
    </message>
    <message>
        <source>held · %1 s</source>
        <translation>持有 · %1 秒</translation>
    </message>
    <message>
        <source>acked late</source>
        <translation>迟到确认</translation>
    </message>
    <message>
        <source>nak&apos;d · %1 s</source>
        <translation>已 nak · %1 秒</translation>
    </message>
    <message>
        <source>nak&apos;d</source>
        <translation>已 nak</translation>
    </message>
    <message>
        <source>terminated</source>
        <translation>已终止</translation>
    </message>
    <message>
        <source>ack wait over</source>
        <translation>确认等待已过</translation>
    </message>
    <message numerus="yes">
        <source>In progress (sent %n time(s)): it comes again in %1 s unless you answer.</source>
        <translation>
            <numerusform>处理中（已发送 %n 次）：若不应答，%1 秒后重投。</numerusform>
        </translation>
    </message>
    <message>
        <source>Held by this window: it comes again in %1 s unless you answer.</source>
        <translation>由本窗口持有：若不应答，%1 秒后重投。</translation>
    </message>
    <message>
        <source>The answer is on its way.</source>
        <translation>应答已发出。</translation>
    </message>
    <message>
        <source>Acked: done for this consumer.</source>
        <translation>已确认：对该消费者而言已完成。</translation>
    </message>
    <message>
        <source>Nak&apos;d: it comes again in %1 s.</source>
        <translation>已 nak：%1 秒后重投。</translation>
    </message>
    <message>
        <source>Nak&apos;d: it comes again with the next request.</source>
        <translation>已 nak：下次请求时重投。</translation>
    </message>
    <message>
        <source>Terminated: it never comes again to this consumer.</source>
        <translation>已终止：不再投递给该消费者。</translation>
    </message>
    <message>
        <source>The ack wait is over: the server gives it out again at the next request. An answer now is late, but it may still count.</source>
        <translation>确认等待已过：服务器会在下次请求时重新投递。现在应答算迟到，但可能仍然有效。</translation>
    </message>
    <message>
        <source>This consumer expects no answer.</source>
        <translation>该消费者不需要应答。</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已移除</translation>
    </message>
    <message>
        <source>It has left the stream (%1): it does not come again, and there is nothing left to answer for.</source>
        <translation>它已离开流（%1）：不会再次投递，也无需再应答。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ConsumePage</name>
    <message>
        <source>This stream has no consumer yet. Create one to receive its messages.</source>
        <translation>该流还没有消费者。创建一个以接收消息。</translation>
    </message>
    <message>
        <source>Push consumer to %1</source>
        <translation>推送到 %1 的消费者</translation>
    </message>
    <message>
        <source>Pull consumer</source>
        <translation>拉取消费者</translation>
    </message>
    <message>
        <source>%1: %L2 waiting (num_pending), %L3 delivered and unanswered (num_ack_pending), %L4 delivered again (num_redelivered).</source>
        <translation>%1：%L2 条等待（num_pending），%L3 条已投递未应答（num_ack_pending），%L4 条重投过（num_redelivered）。</translation>
    </message>
    <message>
        <source> It gives out nothing new: max_ack_pending is reached.</source>
        <translation> 不再投递新消息：已达 max_ack_pending。</translation>
    </message>
    <message>
        <source> It is paused.</source>
        <translation> 已暂停。</translation>
    </message>
    <message>
        <source>Listening on %1.</source>
        <translation>正在监听 %1。</translation>
    </message>
    <message numerus="yes">
        <source>Asking for %n message(s) …</source>
        <translation>
            <numerusform>正在请求 %n 条消息……</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Listen</source>
        <translation>监听(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Fetch</source>
        <translation>拉取(&amp;F)</translation>
    </message>
    <message>
        <source>Subscribes to the deliver subject; the consumer then pushes what waits.</source>
        <translation>订阅投递主题；消费者随即推送等待的消息。</translation>
    </message>
    <message>
        <source>Sends one pull request (F).</source>
        <translation>发送一个拉取请求（F）。</translation>
    </message>
    <message>
        <source>&amp;Consumer</source>
        <translation>消费者(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Batch</source>
        <translation>批量(&amp;B)</translation>
    </message>
    <message>
        <source>At most this many messages for one request (batch).</source>
        <translation>一个请求最多取这么多消息（batch）。</translation>
    </message>
    <message>
        <source>w&amp;ait</source>
        <translation>等待(&amp;A)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>How long the server keeps the request while nothing is there (expires).</source>
        <translation>没有消息时服务器保留请求的时长（expires）。</translation>
    </message>
    <message>
        <source>d&amp;o not wait</source>
        <translation>不等待(&amp;O)</translation>
    </message>
    <message>
        <source>Answers at once with what is there, or with 404 (no_wait).</source>
        <translation>立即返回现有消息，没有则返回 404（no_wait）。</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Clear s&amp;ettled</source>
        <translation>清除已了结(&amp;E)</translation>
    </message>
    <message>
        <source>Takes answered messages off this list. It changes nothing at the server.</source>
        <translation>从列表中移走已应答的消息。服务器上没有任何变化。</translation>
    </message>
    <message>
        <source>Ack + ne&amp;xt</source>
        <translation>确认并取下一条(&amp;X)</translation>
    </message>
    <message>
        <source>Acks this message and takes the next one in the same step, +NXT (X).</source>
        <translation>确认此消息并同时取下一条，+NXT（X）。</translation>
    </message>
    <message>
        <source>Delay of the nak</source>
        <translation>nak 的延迟</translation>
    </message>
    <message>
        <source>Headers and pa&amp;yload of the selected message</source>
        <translation>所选消息的消息头与负载(&amp;Y)</translation>
    </message>
    <message>
        <source>Ack</source>
        <translation>Ack</translation>
    </message>
    <message>
        <source>Done: it never comes again to this consumer. With interest or work-queue retention the stream may drop it (A).</source>
        <translation>完成：不再投递给该消费者。在 interest 或 workqueue 保留策略下，流可能移除它（A）。</translation>
    </message>
    <message>
        <source>Nak</source>
        <translation>Nak</translation>
    </message>
    <message>
        <source>Not done: it comes again at once, without backoff. It counts as a delivery (N).</source>
        <translation>未完成：立即重投，不经 backoff。计入一次投递（N）。</translation>
    </message>
    <message>
        <source>Nak in</source>
        <translation>延迟 Nak</translation>
    </message>
    <message>
        <source>Not done: it comes again after this delay and keeps its place in max_ack_pending until then (D).</source>
        <translation>未完成：延迟后重投，在此之前占用 max_ack_pending 的名额（D）。</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>Still working: the ack wait starts anew. It stays yours (P).</source>
        <translation>仍在处理：确认等待重新计时，消息仍归你（P）。</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>Give up: it never comes again to this consumer, done or not. It stays in the stream unless retention drops it (T).</source>
        <translation>放弃：无论是否完成都不再投递给该消费者。除非保留策略移除，否则仍留在流中（T）。</translation>
    </message>
    <message>
        <source>Ack (A): done. Nak (N): again at once. Nak in (D): again after the delay. In progress (P): the ack wait starts anew. Term (T): never again.</source>
        <translation>Ack（A）：完成。Nak（N）：立即重投。延迟 Nak（D）：延迟后重投。处理中（P）：确认等待重新计时。Term（T）：不再投递。</translation>
    </message>
    <message>
        <source>Only pull consumers can be asked for the next message.</source>
        <translation>只有拉取消费者可以请求下一条消息。</translation>
    </message>
    <message>
        <source>Select one message that is held.</source>
        <translation>请选择一条持有中的消息。</translation>
    </message>
    <message>
        <source>St&amp;ream</source>
        <translation>流(&amp;R)</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::DeliveryStates</name>
    <message>
        <source>back in %1</source>
        <translation>%1后重投</translation>
    </message>
    <message>
        <source>Override: answer in place of the client that has it…</source>
        <translation>代答：代替持有它的客户端应答…</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::Explorer</name>
    <message>
        <source>Filter by name</source>
        <translation>按名称过滤</translation>
    </message>
    <message>
        <source>Filter streams and consumers by name</source>
        <translation>按名称过滤流和消费者</translation>
    </message>
    <message>
        <source>Streams, consumers and clients</source>
        <translation>流、消费者与客户端</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::HeaderTable</name>
    <message>
        <source>A second message with this id inside the duplicate window is not stored.</source>
        <translation>去重窗口内带此 ID 的第二条消息不会存储。</translation>
    </message>
    <message>
        <source>Refused unless this stream captures the subject.</source>
        <translation>除非由此流捕获该主题，否则拒绝。</translation>
    </message>
    <message>
        <source>Refused unless this is the stream&apos;s last sequence.</source>
        <translation>除非这是流的最后序列号，否则拒绝。</translation>
    </message>
    <message>
        <source>Refused unless this is the last sequence of the subject.</source>
        <translation>除非这是该主题的最后序列号，否则拒绝。</translation>
    </message>
    <message>
        <source>Refused unless the last stored message has this id.</source>
        <translation>除非最后存储的消息带此 ID，否则拒绝。</translation>
    </message>
    <message>
        <source>This message goes after that time (needs allow_msg_ttl).</source>
        <translation>此消息在该时间后移除（需要 allow_msg_ttl）。</translation>
    </message>
    <message>
        <source>Removes all earlier messages of the subject, or of the stream with &apos;all&apos; (needs allow_rollup_hdrs).</source>
        <translation>移除该主题之前的全部消息；取值 all 时为整个流（需要 allow_rollup_hdrs）。</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>消息头</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Headers of the message</source>
        <translation>消息的消息头</translation>
    </message>
    <message>
        <source>The value %1 has no header name.</source>
        <translation>值 %1 没有对应的标头名称。</translation>
    </message>
    <message>
        <source>%1 is not a header name: ASCII without blanks and colons.</source>
        <translation>%1 不是标头名称：只能用 ASCII，不含空格和冒号。</translation>
    </message>
    <message>
        <source>The value of %1 has a line break; a header is one line.</source>
        <translation>%1 的值含有换行；一个标头只占一行。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::HeldList</name>
    <message>
        <source>Nothing of this consumer is held here. Fetch messages, then answer for them.</source>
        <translation>此处未持有该消费者的消息。请先拉取消息，再进行应答。</translation>
    </message>
    <message>
        <source>Select a message in the list to answer for it.</source>
        <translation>在列表中选择一条消息以进行应答。</translation>
    </message>
    <message>
        <source>This consumer expects no answer.</source>
        <translation>该消费者不需要应答。</translation>
    </message>
    <message>
        <source>What is selected has its answer. Select a message that is held.</source>
        <translation>所选消息已有应答。请选择持有中的消息。</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) selected, %1 of them can be answered.</source>
        <translation>
            <numerusform>已选择 %n 条消息，其中 %1 条可以应答。</numerusform>
        </translation>
    </message>
    <message>
        <source>Also held: %1</source>
        <translation>另外持有：%1</translation>
    </message>
    <message>
        <source>Messages of this consumer that this window holds</source>
        <translation>本窗口持有的该消费者的消息</translation>
    </message>
    <message>
        <source>Its message has left the stream: there is nothing left to answer for.</source>
        <translation>这条消息已离开流：无需再应答。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::Inspector</name>
    <message>
        <source>Not in the stream any more</source>
        <translation>已不在流中</translation>
    </message>
    <message>
        <source>For each consumer</source>
        <translation>各消费者的状态</translation>
    </message>
    <message>
        <source>Choose a message in the lanes or in the table to see its content, its state for each consumer, and what it is waiting for.</source>
        <translation>在泳道或表格中选择一条消息，查看其内容、在各消费者处的状态，以及它在等什么。</translation>
    </message>
    <message>
        <source>Copy subject</source>
        <translation>复制主题</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::LanesPage</name>
    <message>
        <source>More than 4,000 events a frame: drawn from counts, ten times a second. Nothing is lost in the broker.</source>
        <translation>每帧事件超过 4,000 个：改为按计数绘制，每秒十次。服务器没有丢失任何内容。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::MessagesPage</name>
    <message>
        <source>%1 match</source>
        <translation>匹配 %1 条</translation>
    </message>
    <message>
        <source>%1 match so far, reading on…</source>
        <translation>目前匹配 %1 条，继续读取……</translation>
    </message>
    <message>
        <source>Subject, e.g. orders.* or orders.&gt;</source>
        <translation>主题，如 orders.* 或 orders.&gt;</translation>
    </message>
    <message>
        <source>Show messages of these subjects only</source>
        <translation>只显示这些主题的消息</translation>
    </message>
    <message>
        <source>Show messages of these subjects only. * stands for one token, &gt; for the rest. Press Enter.</source>
        <translation>只显示这些主题的消息。* 代表一段，&gt; 代表其余全部。按回车确认。</translation>
    </message>
    <message>
        <source>Go to sequence</source>
        <translation>转到序列号</translation>
    </message>
    <message>
        <source>Follow newest</source>
        <translation>跟随最新</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln 条消息</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>jetglass::pages::NoMatch</name>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>没有与“%1”匹配的内容。</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除过滤</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::PublishHistoryModel</name>
    <message>
        <source>sent, no ack asked for</source>
        <translation>已发送，未要求确认</translation>
    </message>
    <message>
        <source>%1 %2, duplicate: nothing new was stored</source>
        <translation>%1 %2，重复：未存储新内容</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::PublishPage</name>
    <message>
        <source>%L1 of %L2 sent</source>
        <translation>已发送 %L1 / %L2</translation>
    </message>
    <message>
        <source>%L1 of %L2 stored</source>
        <translation>已存储 %L1 / %L2</translation>
    </message>
    <message>
        <source>, %L1 duplicates</source>
        <translation>，%L1 条重复</translation>
    </message>
    <message>
        <source>, %L1 refused</source>
        <translation>，%L1 条被拒</translation>
    </message>
    <message>
        <source>No stream captures this subject: only clients that subscribe now would get it.</source>
        <translation>没有流捕获此主题：只有此刻订阅的客户端能收到。</translation>
    </message>
    <message>
        <source>Captured by the stream %1.</source>
        <translation>由流 %1 捕获。</translation>
    </message>
    <message>
        <source>A subject is words with dots between them, such as orders.created.</source>
        <translation>主题由点分隔的词组成，如 orders.created。</translation>
    </message>
    <message>
        <source>Not a subject: no blanks, and no empty word between two dots.</source>
        <translation>不是有效的主题：不能有空格，两点之间不能为空。</translation>
    </message>
    <message>
        <source>* and &gt; are wildcards for subscribing; a message goes to one exact subject.</source>
        <translation>* 和 &gt; 是订阅用的通配符；消息只能发到一个确切的主题。</translation>
    </message>
    <message numerus="yes">
        <source>JSON, %n byte(s)</source>
        <translation>
            <numerusform>JSON，%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>not valid JSON at byte %1: %2</source>
        <translation>第 %1 字节处不是有效的 JSON：%2</translation>
    </message>
    <message numerus="yes">
        <source>text, %n byte(s)</source>
        <translation>
            <numerusform>文本，%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>larger than the server&apos;s max_payload of %L1 bytes</source>
        <translation>超过服务器的 max_payload（%L1 字节）</translation>
    </message>
    <message>
        <source>Sends the message (Ctrl+Return).</source>
        <translation>发送消息（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>Add a known header</source>
        <translation>添加常用消息头</translation>
    </message>
    <message>
        <source>Pa&amp;yload</source>
        <translation>负载(&amp;Y)</translation>
    </message>
    <message>
        <source>{{counter}}, {{counter:5}}, {{time}}, {{unix_ms}} and {{uuid}} are replaced in subject, header values and payload.</source>
        <translation>{{counter}}、{{counter:5}}、{{time}}、{{unix_ms}} 和 {{uuid}} 会在主题、消息头值和负载中被替换。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式化</translation>
    </message>
    <message>
        <source>Indents the JSON.</source>
        <translation>缩进 JSON。</translation>
    </message>
    <message>
        <source>&amp;Count</source>
        <translation>数量(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Rate</source>
        <translation>速率(&amp;R)</translation>
    </message>
    <message>
        <source>/s</source>
        <translation>/秒</translation>
    </message>
    <message>
        <source>as fast as possible</source>
        <translation>尽可能快</translation>
    </message>
    <message>
        <source>&amp;Wait for the pub ack of each message</source>
        <translation>等待每条消息的发布确认(&amp;W)</translation>
    </message>
    <message>
        <source>Without it the message is sent as in Core NATS: nobody says whether a stream stored it.</source>
        <translation>不勾选则按 Core NATS 发送：没有人告知流是否存储了它。</translation>
    </message>
    <message>
        <source>&amp;Publish</source>
        <translation>发布(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Sends no more. What was sent stays sent.</source>
        <translation>不再发送。已发送的不会撤回。</translation>
    </message>
    <message>
        <source>Se&amp;nt by this panel</source>
        <translation>本面板已发送(&amp;N)</translation>
    </message>
    <message>
        <source>Double click or Return puts a message back into the panel.</source>
        <translation>双击或回车把消息放回面板。</translation>
    </message>
    <message>
        <source>Sent messages and their results</source>
        <translation>已发送的消息及结果</translation>
    </message>
    <message>
        <source>S&amp;ubject</source>
        <translation>主题(&amp;U)</translation>
    </message>
    <message>
        <source>He&amp;aders</source>
        <translation>消息头(&amp;A)</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::ReplayPage</name>
    <message>
        <source>There is no stream to replay.</source>
        <translation>没有可重放的流。</translation>
    </message>
    <message>
        <source>A sequence is a whole number.</source>
        <translation>序列号是整数。</translation>
    </message>
    <message>
        <source>There is nothing in this range.</source>
        <translation>此范围内没有消息。</translation>
    </message>
    <message>
        <source>The filter is not a subject.</source>
        <translation>过滤条件不是有效的主题。</translation>
    </message>
    <message>
        <source>The target has to be one exact subject.</source>
        <translation>目标必须是一个确切的主题。</translation>
    </message>
    <message>
        <source>The prefix has to be one or more words with dots between them.</source>
        <translation>前缀必须是由点分隔的一个或多个词。</translation>
    </message>
    <message>
        <source>The stream is empty.</source>
        <translation>流是空的。</translation>
    </message>
    <message>
        <source>This would be a loop: %1 captures %2 and feeds the stream that is replayed. Choose another target.</source>
        <translation>这会形成循环：%1 捕获 %2，又流回被重放的流。请选择其他目标。</translation>
    </message>
    <message>
        <source>Goes to %1. No stream captures that, so only clients that subscribe now get it.</source>
        <translation>发往 %1。没有流捕获它，只有此刻订阅的客户端能收到。</translation>
    </message>
    <message>
        <source>Goes to %1. Stored again by: %2.</source>
        <translation>发往 %1。会再次存储于：%2。</translation>
    </message>
    <message>
        <source>%L1 published, at sequence %2 of %3.</source>
        <translation>已发布 %L1 条，位于序列号 %2 / %3。</translation>
    </message>
    <message>
        <source> %L1 refused.</source>
        <translation> %L1 条被拒。</translation>
    </message>
    <message>
        <source> Cancelled; what was published stays published.</source>
        <translation> 已取消；已发布的不会撤回。</translation>
    </message>
    <message>
        <source> Done.</source>
        <translation> 完成。</translation>
    </message>
    <message>
        <source>Se&amp;quences</source>
        <translation>序列号(&amp;Q)</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>First sequence</source>
        <translation>起始序列号</translation>
    </message>
    <message>
        <source>Last sequence</source>
        <translation>最后序列号</translation>
    </message>
    <message>
        <source>&amp;Only subjects</source>
        <translation>仅限主题(&amp;O)</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Put in front of each su&amp;bject</source>
        <translation>在每个主题前添加(&amp;B)</translation>
    </message>
    <message>
        <source>All to one sub&amp;ject</source>
        <translation>全部发到一个主题(&amp;J)</translation>
    </message>
    <message>
        <source>S&amp;peed</source>
        <translation>速度(&amp;P)</translation>
    </message>
    <message>
        <source>as they came in</source>
        <translation>按到来时的速度</translation>
    </message>
    <message>
        <source>faster or slower</source>
        <translation>加快或减慢</translation>
    </message>
    <message>
        <source>as fast as possible</source>
        <translation>尽可能快</translation>
    </message>
    <message>
        <source>Factor on the original pace</source>
        <translation>相对原速的倍数</translation>
    </message>
    <message>
        <source>&amp;Keep Nats-Msg-Id and Nats-Expected-*</source>
        <translation>保留 Nats-Msg-Id 与 Nats-Expected-*(&amp;K)</translation>
    </message>
    <message>
        <source>With its id a message is a duplicate inside the window, and its expectations hardly hold.</source>
        <translation>带着原 ID，消息在去重窗口内会被视为重复，其期望条件也很难成立。</translation>
    </message>
    <message>
        <source>Star&amp;t</source>
        <translation>开始(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Progress of the replay</source>
        <translation>重放进度</translation>
    </message>
    <message>
        <source>The stream holds %L1 messages, sequences %2 to %3.</source>
        <translation>流中有 %L1 条消息，序列号 %2 到 %3。</translation>
    </message>
    <message>
        <source>It ends at %1 even if more comes in.</source>
        <translation>即使有新消息到来，也在 %1 结束。</translation>
    </message>
    <message>
        <source>St&amp;ream</source>
        <translation>流(&amp;R)</translation>
    </message>
    <message>
        <source>Waiting: %1 came in %2 after the one before it, so it goes out in %3.</source>
        <translation>等待中：%1 比前一条晚 %2 到达，因此 %3 后发出。</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::StreamPage</name>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Every message for every consumer</source>
        <translation>每条消息在每个消费者处的状态</translation>
    </message>
</context>
<context>
    <name>jetglass::pages::WelcomePage</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>No streams yet</source>
        <translation>还没有流</translation>
    </message>
    <message>
        <source>The broker is running. Point your application at this address; nothing else changes in it:</source>
        <translation>服务器正在运行。让你的应用连接到这个地址即可，其他都不用改：</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Or make a stream with the nats command line:</source>
        <translation>或者用 nats 命令行创建一个流：</translation>
    </message>
    <message>
        <source>Or begin here:</source>
        <translation>或者从这里开始：</translation>
    </message>
    <message>
        <source>Create the ORDERS example</source>
        <translation>创建 ORDERS 示例</translation>
    </message>
    <message>
        <source>New stream…</source>
        <translation>新建流…</translation>
    </message>
    <message>
        <source>ORDERS stores orders.&gt; in files for 24 hours. The example adds two pull consumers and five messages, to be fetched and acknowledged by hand.</source>
        <translation>ORDERS 把 orders.&gt; 存入文件，保留 24 小时。示例还会添加两个拉取消费者和五条消息，供手动拉取和确认。</translation>
    </message>
</context>
<context>
    <name>jetglass::payload::PayloadView</name>
    <message>
        <source>Header</source>
        <translation>消息头</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Headers of the message</source>
        <translation>消息的消息头</translation>
    </message>
    <message>
        <source>Payload of the message</source>
        <translation>消息的负载</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the payload in this form</source>
        <translation>以此形式复制负载</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Empty payload</source>
        <translation>空负载</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Indented; the order of keys and the form of numbers stay</source>
        <translation>已缩进；键的顺序与数字写法保持不变</translation>
    </message>
    <message>
        <source>Only the first bytes are loaded, so it cannot be read as JSON yet</source>
        <translation>只加载了开头部分，暂时无法按 JSON 读取</translation>
    </message>
    <message>
        <source>The payload is empty</source>
        <translation>负载为空</translation>
    </message>
    <message>
        <source>Not JSON: %1 at byte %2</source>
        <translation>不是 JSON：%1，位于第 %2 字节</translation>
    </message>
    <message>
        <source>Payload · %1</source>
        <translation>负载 · %1</translation>
    </message>
    <message>
        <source>The first %1 of %2 are shown.</source>
        <translation>显示前 %1，共 %2。</translation>
    </message>
    <message numerus="yes">
        <source>Headers (%n)</source>
        <translation>
            <numerusform>消息头（%n）</numerusform>
        </translation>
    </message>
    <message>
        <source>Very long lines are broken here; Copy gives them whole.</source>
        <translation>过长的行在此处换行显示；复制得到的是完整内容。</translation>
    </message>
</context>
<context>
    <name>jetglass::scenes::Stage</name>
    <message>
        <source>There is no scene %1. There are: %2</source>
        <translation>没有场景 %1。可用的有：%2</translation>
    </message>
</context>
<context>
    <name>jetglass::window::Actions</name>
    <message>
        <source>About Jetglass</source>
        <translation>关于 Jetglass</translation>
    </message>
    <message>
        <source>Jetglass %1
A JetStream that you can see through.

GPL-3.0-or-later</source>
        <translation>Jetglass %1
一眼看透的 JetStream。

GPL-3.0-or-later</translation>
    </message>
    <message>
        <source>&amp;Stream</source>
        <translation>流(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Messages</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题外观</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>工具栏</translation>
    </message>
    <message>
        <source>New stream…</source>
        <translation>新建流…</translation>
    </message>
    <message>
        <source>New consumer…</source>
        <translation>新建消费者…</translation>
    </message>
    <message>
        <source>Edit settings…</source>
        <translation>编辑设置…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Purge…</source>
        <translation>清空…</translation>
    </message>
    <message>
        <source>Replay…</source>
        <translation>重放…</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>拉取</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>泳道</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Find a stream or consumer</source>
        <translation>查找流或消费者</translation>
    </message>
    <message>
        <source>Find messages by subject</source>
        <translation>按主题查找消息</translation>
    </message>
    <message>
        <source>Follow newest</source>
        <translation>跟随最新</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Whole stream</source>
        <translation>整个流</translation>
    </message>
    <message>
        <source>Normal size</source>
        <translation>正常大小</translation>
    </message>
    <message>
        <source>Commands…</source>
        <translation>命令…</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Override a delivery…</source>
        <translation>代答投递…</translation>
    </message>
</context>
<context>
    <name>jetglass::window::CommandPalette</name>
    <message>
        <source>What do you want to do?</source>
        <translation>想做什么？</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>没有与“%1”匹配的内容。</translation>
    </message>
</context>
<context>
    <name>jetglass::window::MainWindow</name>
    <message>
        <source>Copied: %1</source>
        <translation>已复制：%1</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>%1 – Jetglass</source>
        <translation>%1 – Jetglass</translation>
    </message>
    <message>
        <source>Explorer</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Publish</source>
        <translation>发布</translation>
    </message>
    <message>
        <source>Consume</source>
        <translation>消费</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
</context>
<context>
    <name>jetglass::window::StartPage</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>The broker starts…</source>
        <translation>服务器正在启动……</translation>
    </message>
    <message>
        <source>A store with many messages is checked first. Clients can connect as soon as that is done.</source>
        <translation>消息较多的存储会先检查。完成后客户端即可连接。</translation>
    </message>
    <message>
        <source>Port %1 is taken</source>
        <translation>端口 %1 已被占用</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>使用端口 %1</translation>
    </message>
    <message>
        <source>The broker could not start</source>
        <translation>服务器无法启动</translation>
    </message>
    <message>
        <source>Use a new folder</source>
        <translation>使用新文件夹</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Close it and try again, or use another port here; clients then connect to nats://127.0.0.1:%1.</source>
        <translation>请关闭它后重试，或在此使用另一个端口；客户端届时连接到 nats://127.0.0.1:%1。</translation>
    </message>
    <message>
        <source>The store is in use</source>
        <translation>存储正在使用中</translation>
    </message>
    <message>
        <source>It is the program %1, process %2.</source>
        <translation>占用它的程序是 %1，进程号 %2。</translation>
    </message>
    <message>
        <source>Two brokers cannot share a store. Close the other one and try again, or keep the streams of this window elsewhere.</source>
        <translation>两个服务器不能共用一个存储。请关闭另一个后重试，或将此窗口的流存放到别处。</translation>
    </message>
    <message>
        <source>A new folder would be %1; it begins empty.</source>
        <translation>新文件夹将是 %1，其中没有任何内容。</translation>
    </message>
</context>
<context>
    <name>jetglass::window::StatusLine</name>
    <message>
        <source>Clients connect here. Click to copy the address.</source>
        <translation>客户端连接此处。点击复制地址。</translation>
    </message>
    <message numerus="yes">
        <source>%n connection(s)</source>
        <translation>
            <numerusform>%n 个连接</numerusform>
        </translation>
    </message>
    <message>
        <source>Show who is connected (connections)</source>
        <translation>查看谁已连接（connections）</translation>
    </message>
    <message>
        <source>%1 msgs/s in · %2 msgs/s out</source>
        <translation>流入 %1 条/秒 · 流出 %2 条/秒</translation>
    </message>
    <message>
        <source>Messages of the last second, all clients together (in_msgs, out_msgs).
Since the start: %1 in, %2 out.</source>
        <translation>最近一秒全部客户端的消息数（in_msgs, out_msgs）。
自启动以来：流入 %1，流出 %2。</translation>
    </message>
    <message>
        <source>drawn from counts</source>
        <translation>按计数绘制</translation>
    </message>
    <message>
        <source>%1 events not shown</source>
        <translation>%1 个事件未显示</translation>
    </message>
    <message>
        <source>The window could not keep up. The broker lost nothing; views have been asked for again.</source>
        <translation>窗口跟不上了。服务器没有丢失任何内容；视图已重新获取。</translation>
    </message>
    <message>
        <source>What the broker found when it opened its store:</source>
        <translation>服务器打开存储时发现：</translation>
    </message>
    <message numerus="yes">
        <source>Store: %n finding(s) at the start, first in %1</source>
        <translation>
            <numerusform>存储：启动时发现 %n 处问题，首个在 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>clock paused</source>
        <translation>时钟已暂停</translation>
    </message>
    <message>
        <source>clock: %1</source>
        <translation>时钟：%1</translation>
    </message>
    <message>
        <source>The broker&apos;s lab clock stands still.</source>
        <translation>服务器的实验时钟已停住。</translation>
    </message>
    <message>
        <source>The broker&apos;s lab clock was moved.</source>
        <translation>服务器的实验时钟被调整过。</translation>
    </message>
    <message>
        <source>It differs from this computer&apos;s by %1.</source>
        <translation>它与本机时钟相差 %1。</translation>
    </message>
    <message>
        <source>Ages, deadlines and the times of messages follow it; the charts follow this computer&apos;s clock.</source>
        <translation>消息的时间、存活期和截止时间以它为准；图表以本机时钟为准。</translation>
    </message>
</context>
</TS>
