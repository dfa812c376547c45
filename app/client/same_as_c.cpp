// SPDX-License-Identifier: GPL-3.0-or-later
#include "client/same_as_parts.h"

namespace jetglass::client::same_as {
namespace {

using namespace Qt::StringLiterals;

/// A whole program around \a body, which runs while s is NATS_OK.
QString program(const QString& url,
    const QString& includes,
    const QString& variables,
    const QString& body,
    const QString& cleanup)
{
    const bool js = body.contains(u"js,"_s);
    QString text = u"#include <nats/nats.h>\n#include <stdio.h>\n"_s + includes
        + u"\nint main(void)\n{\n    natsConnection *nc = NULL;\n"_s;
    if (js)
        text += u"    jsCtx *js = NULL;\n"_s;
    text += indented(variables, u"    "_s);
    text += u"    natsStatus s = natsConnection_ConnectTo(&nc, %1);\n"_s.arg(quoted(url));
    if (js)
        text += u"    if (s == NATS_OK)\n        s = natsConnection_JetStream(&js, nc, NULL);\n"_s;
    text += u'\n' + indented(body, u"    "_s);
    text += u"\n    if (s != NATS_OK)\n        nats_PrintLastErrorStack(stderr);\n"_s;
    text += indented(cleanup, u"    "_s);
    if (js)
        text += u"    jsCtx_Destroy(js);\n"_s;
    return text
        + u"    natsConnection_Destroy(nc);\n    nats_Close();\n    return s == NATS_OK ? 0 : 1;\n}\n"_s;
}

QString then(const QString& call)
{
    return u"if (s == NATS_OK)\n    s = "_s + call + u";\n"_s;
}

/// snprintf into a buffer for a text with {{counter}}; a plain literal otherwise.
struct Text
{
    QString code; ///< before the use
    QString use;
};

Text textOf(const QString& s, const QString& buffer, bool many)
{
    if (!many)
        return {{}, quoted(s)};
    QString format = s;
    format.replace(u'%', u"%%"_s);
    if (!s.contains(u"{{counter"_s))
        return {{}, quoted(s)};
    const QString marked = counted(format, QString(), u"\x01"_s);
    // counted() gives adjacent literals; each counter becomes one conversion inside a single
    // literal.
    QString literal = marked;
    literal.replace(u"\"\x01\""_s, u"%d"_s)
        .replace(u"\x01\""_s, u"\"%d"_s)
        .replace(u"\"\x01"_s, u"%d\""_s);
    literal.replace(u"\x01"_s, u"\"%d\""_s);
    const qsizetype n = literal.count(u"%d"_s);
    QString args;
    for (qsizetype i = 0; i < n; ++i)
        args += u", n"_s;
    return {u"snprintf(%1, sizeof(%1), %2%3);\n"_s.arg(buffer, literal, args), buffer};
}

QString publishBody(const PublishAction& a)
{
    const bool many = a.count > 1;
    const Message m = many ? a.message : firstMessage(a.message);
    const Text subject = textOf(m.subject, u"subject"_s, many);
    const Text payload = textOf(QString::fromUtf8(m.payload), u"payload"_s, many);
    QString body = subject.code + payload.code;
    const QString size =
        payload.code.isEmpty() ? QString::number(m.payload.size()) : u"(int) strlen(payload)"_s;
    body += then(u"natsMsg_Create(&msg, %1, NULL, %2, %3)"_s.arg(subject.use, payload.use, size));
    for (const Header& h : m.headers) {
        const Text value = textOf(h.value, u"value"_s, many);
        body +=
            value.code + then(u"natsMsgHeader_Add(msg, %1, %2)"_s.arg(quoted(h.name), value.use));
    }
    if (a.acked) {
        body += then(u"js_PublishMsg(&ack, js, msg, NULL, &jerr)"_s);
        body += u"if (s == NATS_OK)\n    printf(\"%s %llu%s\\n\", ack->Stream, (unsigned long "
                u"long) ack->Sequence,\n"
                u"        ack->Duplicate ? \" duplicate\" : \"\");\n"
                u"jsPubAck_Destroy(ack);\nack = NULL;\n"_s;
    } else {
        body += then(u"natsConnection_PublishMsg(nc, msg)"_s);
    }
    body += u"natsMsg_Destroy(msg);\nmsg = NULL;\n"_s;
    if (!many)
        return body;
    if (a.perSecond > 0)
        body += u"nats_Sleep(%1);\n"_s.arg(pauseMs(a.perSecond));
    return u"for (int n = 1; s == NATS_OK && n <= %1; n++) {\n"_s.arg(a.count)
        + indented(body, u"    "_s) + u"}\n"_s;
}

struct ToC
{
    const QString& url;

    QString operator()(const PublishAction& a) const
    {
        const QString body = publishBody(a);
        QString variables = u"natsMsg *msg = NULL;\n"_s;
        if (a.acked)
            variables += u"jsPubAck *ack = NULL;\njsErrCode jerr = 0;\n"_s;
        for (const char* buffer : {"subject", "payload", "value"}) {
            if (body.contains(u"snprintf("_s + QLatin1String(buffer)))
                variables += u"char %1[4096];\n"_s.arg(QLatin1String(buffer));
        }
        const QString includes =
            body.contains(u"strlen"_s) ? u"#include <string.h>\n"_s : QString();
        const QString cleanup = a.acked ? QString() : u"natsConnection_Flush(nc);\n"_s;
        return program(url, includes, variables, body, cleanup);
    }
    /// nats.c 3.4 lacks the newer fields in its structs, so configurations go as the API's own
    /// JSON.
    template<class Admin>
    QString operator()(const Admin& a) const
    {
        const ApiRequest r = *apiRequest(a);
        const QString body =
            then(u"natsConnection_RequestString(&reply, nc, %1,\n        %2, 5000)"_s.arg(
                quoted(r.subject), r.body.isEmpty() ? u"\"\""_s : quoted(r.json())))
            + u"if (s == NATS_OK)\n    printf(\"%.*s\\n\", natsMsg_GetDataLength(reply), natsMsg_GetData(reply));\n"_s;
        return program(
            url, {}, u"natsMsg *reply = NULL;\n"_s, body, u"natsMsg_Destroy(reply);\n"_s);
    }
    static QString bind(const QString& stream, const QString& consumer)
    {
        return u"jsSubOptions_Init(&so);\nso.Stream = %1;\nso.Consumer = %2;\n"_s.arg(
                   quoted(stream), quoted(consumer))
            + then(u"js_PullSubscribe(&sub, js, NULL, NULL, NULL, &so, &jerr)"_s);
    }
    static QString subscriptionVariables()
    {
        return u"natsSubscription *sub = NULL;\njsSubOptions so;\njsErrCode jerr = 0;\n"
               u"natsMsgList list = {0};\n"_s;
    }
    static QString subscriptionCleanup()
    {
        return u"natsMsgList_Destroy(&list);\nnatsSubscription_Destroy(sub);\n"_s;
    }
    QString operator()(const FetchAction& a) const
    {
        const FetchRequest& r = a.request;
        QString variables = subscriptionVariables();
        QString fetch;
        if (r.noWait) {
            variables += u"jsFetchRequest request;\n"_s;
            fetch = u"jsFetchRequest_Init(&request);\nrequest.Batch = %1;\nrequest.NoWait = true;\n"
                    u"request.Expires = 1000000000; // how long the client itself waits\n"_s.arg(
                        r.batch)
                + then(u"natsSubscription_FetchRequest(&list, sub, &request)"_s);
        } else {
            fetch = then(u"natsSubscription_Fetch(&list, sub, %1, %2, &jerr)"_s.arg(r.batch).arg(
                r.expires.count()));
        }
        const QString body = bind(r.stream, r.consumer) + fetch
            + u"for (int i = 0; s == NATS_OK && i < list.Count; i++) {\n"
              u"    natsMsg *msg = list.Msgs[i];\n"
              u"    jsMsgMetaData *meta = NULL;\n"
              u"    s = natsMsg_GetMetaData(&meta, msg);\n"
              u"    if (s == NATS_OK)\n"
              u"        printf(\"%llu %llu %s %.*s\\n\", (unsigned long long) "
              u"meta->Sequence.Stream,\n"
              u"            (unsigned long long) meta->NumDelivered, natsMsg_GetSubject(msg),\n"
              u"            natsMsg_GetDataLength(msg), natsMsg_GetData(msg));\n"
              u"    jsMsgMetaData_Destroy(meta);\n"
              u"    // answer with natsMsg_Ack, natsMsg_Nak, natsMsg_InProgress or natsMsg_Term\n"
              u"}\n"_s;
        return program(url, {}, variables, body, subscriptionCleanup());
    }
    QString operator()(const AckAction& a) const
    {
        QString call;
        switch (a.kind) {
        case AckKind::Ack:
            call = u"natsMsg_AckSync(list.Msgs[0], NULL, &jerr)"_s;
            break;
        case AckKind::Nak:
            call = u"natsMsg_Nak(list.Msgs[0], NULL)"_s;
            break;
        case AckKind::NakDelay:
            call = u"natsMsg_NakWithDelay(list.Msgs[0], %1, NULL)"_s.arg(a.delay.count() / 1000000);
            break;
        case AckKind::InProgress:
            call = u"natsMsg_InProgress(list.Msgs[0], NULL)"_s;
            break;
        case AckKind::Term:
            call = u"natsMsg_Term(list.Msgs[0], NULL)"_s;
            break;
        }
        const QString body = bind(a.stream, a.consumer)
            + then(u"natsSubscription_Fetch(&list, sub, 1, 5000, &jerr)"_s) + then(call);
        return program(url,
            {},
            subscriptionVariables(),
            body,
            u"natsConnection_Flush(nc);\n"_s + subscriptionCleanup());
    }
    QString operator()(const ReplayAction& a) const
    {
        const QString variables =
            u"natsMsg *old = NULL;\nnatsMsg *msg = NULL;\njsErrCode jerr = 0;\n"
            u"const char **names = NULL;\nint count = 0;\n"_s
            + (a.fixedSubject.isEmpty() ? u"char subject[1024];\n"_s : QString())
            + (a.speed > 0 ? u"int64_t before = 0;\n"_s : QString());
        QString loop = u"s = js_GetMsg(&old, js, %1, seq, NULL, &jerr);\n"
                       u"if (s == NATS_NOT_FOUND) {\n    s = NATS_OK;\n    continue;\n}\n"
                       u"if (s != NATS_OK)\n    break;\n"_s.arg(quoted(a.stream));
        if (a.speed > 0) {
            loop += u"if (before != 0)\n    nats_Sleep((int64_t) ((double) (natsMsg_GetTime(old) - "
                    u"before) / 1e6 / %1));\n"
                    u"before = natsMsg_GetTime(old);\n"_s.arg(a.speed);
        }
        QString target = quoted(a.fixedSubject);
        if (a.fixedSubject.isEmpty()) {
            loop +=
                u"snprintf(subject, sizeof(subject), \"%s.%s\", %1, natsMsg_GetSubject(old));\n"_s
                    .arg(quoted(a.prefix));
            target = u"subject"_s;
        }
        loop +=
            u"s = natsMsg_Create(&msg, %1, NULL, natsMsg_GetData(old), natsMsg_GetDataLength(old));\n"_s
                .arg(target);
        loop += u"if (natsMsgHeader_Keys(old, &names, &count) != NATS_OK)\n    count = 0;\n"
                u"for (int i = 0; s == NATS_OK && i < count; i++) {\n"
                u"    const char *value = NULL;\n"_s;
        if (!a.keepIds) {
            loop += u"    if (strcmp(names[i], \"Nats-Msg-Id\") == 0 || strncmp(names[i], "
                    u"\"Nats-Expected-\", 14) == 0)\n"
                    u"        continue;\n"_s;
        }
        loop += u"    s = natsMsgHeader_Get(old, names[i], &value);\n"
                u"    if (s == NATS_OK)\n        s = natsMsgHeader_Add(msg, names[i], value);\n}\n"
                u"if (count > 0)\n    free((void *) names);\n"_s;
        loop += then(a.stored ? u"js_PublishMsg(NULL, js, msg, NULL, &jerr)"_s
                              : u"natsConnection_PublishMsg(nc, msg)"_s);
        loop += u"natsMsg_Destroy(msg);\nnatsMsg_Destroy(old);\nmsg = old = NULL;\n"_s;
        const QString body =
            u"for (uint64_t seq = %1; s == NATS_OK && seq <= %2; seq++) {\n"_s.arg(a.first).arg(
                a.last)
            + indented(loop, u"    "_s) + u"}\n"_s;
        const QString includes =
            u"#include <stdlib.h>\n"_s + (a.keepIds ? QString() : u"#include <string.h>\n"_s);
        return program(url,
            includes,
            variables,
            body,
            a.stored ? QString() : u"natsConnection_Flush(nc);\n"_s);
    }
};

} // namespace

QString c(const Action& action, const QString& url)
{
    return std::visit(ToC{url}, action);
}

} // namespace jetglass::client::same_as
