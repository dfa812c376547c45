// SPDX-License-Identifier: GPL-3.0-or-later
// Backups in the older format, the files of the reference server's store.
#include "backup_fixture.h"

using namespace jetglass;
using jetglass::tests::BackupFixture;

namespace {

/// Written by the reference server's file store: 12 messages in small blocks, of which 1, 5 and 12
/// were deleted and 6 erased, and a consumer that has 3 and 4 pending.
constexpr char kRecorded[] =
    "/wYAAFMyc1R3TwD1BgB6imQogIwBVFBheEhlYWRlcnMuMC9tZXRhLmluZgARARUAPgAwCQAAAAkHBDAACQAV"
    "CBAwMDM2AAUACQQkADAxMTY0NAAgeBGHFQA+Vk0AHHVzdGFyADAwFQA9EUMVAKJ0MzAgbXRpbWU9MTc5NTk5"
    "Njc5MC40Njc5OTM2NDUKFQAdESUZALEAcfMVAEcyEwIQMDAwMDZ58D4IAGAwNzMzADE1MzAzMTM2MTY2ADAx"
    "MjQ0MwAgcZQVAFWRAAxuYXRzFQAUfiAAibwZ5WZKABEaFQB98Hd7IkNyZWF0ZWQiOiIyMDI2LTExLTI5VDIz"
    "OjU5OjUwLjQ0MTY5MDM2M1oiLCJuYW1lIjoiT0xEIiwic3ViamVjdHMiOlsiby5cdTAwM2UiXSwicmV0ZW50"
    "aW9uIjoibGltaXRzIiwibWF4X2NvbnN1bWVycyI6LTEJEwhtc2cdDgxieXRlHR0UYWdlIjowGSkQX3Blcl8N"
    "dhkm8FRtc2dfc2l6ZSI6LTEsImRpc2NhcmQiOiJvbGQiLCJzdG9yYWdlIjoiZmlsZSIsIm51bV9yZXBsaWNh"
    "cyI6MSwiZHVwbGljYXRlX3dpbmRvdyI6MTIwLc3MMDAsImNvbXByZXNzaW9uIjoibm9uZSIsImFsbG93X2Rp"
    "cmVjdCI6ZmFsc2UsIm1pcnJvcj4WABRzZWFsZWQVJShkZW55X2RlbGV0ZTYUAAxwdXJnGRMJYShyb2xsdXBf"
    "aGRycxUaMUYAXy1cCDp7fREvGG1zZ190dGwNKwB9kmgCRgAICHN1bY45AKokAC1NPvgDERBSAAgANxkAaAJx"
    "8xUAQjIeBH4ACAgwMjAVAAkENjDuAAgZACYAPDkwYzJhZTFkYmMxZjE2NWE2ugERDBkA1gAQbXNncy8yBQgQ"
    "MS5ibGsx+RUAPcYACAwyMDIzGQBjAghzZ3Nx8xUAQzI/BH4ACAg2MDY+AAgINjIx7gAIGQAmABAkAAAAAS2u"
    "cNHAD7iQqewYAwBvLmFtMDHR7ITOhYzvliQAAAACCSMMABQQHxUkQGJtMDIKV03hNFpxjToAAIADDQAEjDgZ"
    "JJhhEgAAAE5BVFMvMS4wDQpLOiB2DQoNCm0wM9RoKR35pKq3JAAAAAQJOQgAKEoZOkBibTA0z/s0yPAxLJsk"
    "AAAABQ0kBKBVGSRAYW0wNa52ultzrGBpOgAAAAYJAACACQewAAAAAEEqXQ7WvBjEjtsfHlRs0vu6iJuM0Hv4"
    "ndDxvkFViS6TakOXKCQAAAAHCS8IAAFuMl4ANDdjIJN7N+ZSgSQAAAAICQAMANl4HzUoQGJtMDiom9WluNm5"
    "ZjoAAIAJDQAEKIQdSF4EASA57D2IhGH8FK8JNBEFFQBkRgAIADIVAH4ANBkAZwIAMhUAdggzNzIVAAoAMhkA"
    "ZgAACg0ABHuS2bRAYm0xMMmwHbLpzwAdJAAAAAsNJAgbviDV/EBhbTExabHS1jN0itU6AACADA0ABHfOGSQA"
    "Ylr8BigxMsSROEwWSR2HHiaCCABAEQAoAAD8vFMt9388Wx75+gBAEQAoAACFrsWJOIEcfB759AhAWGIJvjgA"
    "AE9XOg5TUQhUHgAAAAwJkwBAEZQkAAB91oJ0RbcgtAkZEQUVAPBGAAgcaW5kZXguZGIVAHUINjA3GQBnAnHz"
    "FQBCMjsEegAQCDExNz4AIAwzNDA1GQBiANwLBAjMAgKowPiBl+TU7DEM7rmGgpfk1OwxAgNvLmIEAQIDby5h"
    "BAECAgGEAgIACajQAwIAABYCASoTEBAAAAAAYAkHEQUVAOkwAQACSArOiQQMxvkNATEhAAE9IQQAEB0MEQsV"
    "AOMIAQACHnkJHPgZvo4QzyP3FQD2EfwVAHcYb2JzL2R1cjYDGu4VJhUAC8YAGgwzMjIxGQBiApEAcfMVAD8y"
    "3QR6AAoMMDMzNRUABww0MDE2GQBiAEIAKkgwMS0wMlQwMzowNDowNVoiLCJOFvYpNGR1ciIsImR1cmFibGVf"
    "GgsqDRVgZWxpdmVyX3BvbGljeSI6ImFsbCIsImFjaxkTVGV4cGxpY2l0IiwiYWNrX3dhaXQiOjPNGwQwMBro"
    "KQ1KFt8pFHJlcGxheRlDGGluc3RhbnQaTypAYWNrX3BlbmRpbmciOjEwMDA+3SkEMH0yhgIRDBkACgCRADID"
    "Iu4IKhUACy3kHvApPggASgAqCDMyNe4ACBkANALuCCoVABN+AAhGACoINDAz7gASGQAnADw1ZGJiOTMyMzcz"
    "YzE1MmMz8ScZAAsAMRUVAMlSAAgQby5kYXQR8xUAOsYACAwyNTI1GQBqAnHzFQA/MjwEhgAIPgAQBDMzGQBk"
    "AEwWAgECBAQC7PHlsA0BAQACAgABATK4GBEMGQDTBA==";

} // namespace

class TestRestoreFileStore final : public BackupFixture
{
    Q_OBJECT

private slots:
    void restoresTheOldFormat();
};

void TestRestoreFileStore::restoresTheOldFormat()
{
    const std::string backup = QByteArray::fromBase64(kRecorded).toStdString();
    CHECK_JSON(
        restore(backup)["error"]["description"], "restore failed: stream names do not match");
    const auto ask = [this](const std::string& call, const std::string& body = {}) {
        return m_bench->request(call, body);
    };
    const auto again = [&](const std::string& bytes) {
        const Json begun =
            ask("STREAM.RESTORE.OLD", R"({"config":{"name":"OLD","subjects":["o.>"]},"state":{}})");
        const std::string subject = begun["deliver_subject"];
        for (std::size_t at = 0; at < bytes.size(); at += 99)
            send(subject, bytes.substr(at, 99));
        return Json::parse(send(subject, ""));
    };
    Json made = again(backup);
    QVERIFY2(!made.contains("error"), made.dump().c_str());
    CHECK_JSON(made["state"]["messages"], 8);
    CHECK_JSON(made["state"]["first_seq"], 2);
    CHECK_JSON(made["state"]["last_seq"], 12);
    CHECK_JSON(
        ask("STREAM.INFO.OLD", R"({"deleted_details":true})")["state"]["deleted"], {5, 6, 12});
    Json message = ask("STREAM.MSG.GET.OLD", R"({"seq":9})")["message"];
    CHECK_JSON(message["subject"], "o.a");
    CHECK_JSON(message["data"], "bTA5");
    QVERIFY(message.contains("hdrs"));
    Json consumer = ask("CONSUMER.INFO.OLD.dur");
    CHECK_JSON(consumer["created"], "2026-01-02T03:04:05Z");
    CHECK_JSON(consumer["delivered"]["consumer_seq"], 4);
    CHECK_JSON(consumer["delivered"]["stream_seq"], 4);
    CHECK_JSON(consumer["ack_floor"]["stream_seq"], 2);
    CHECK_JSON(consumer["num_ack_pending"], 2);
    CHECK_JSON(consumer["num_redelivered"], 1);
    CHECK_JSON(consumer["num_pending"], 5);

    ask("STREAM.DELETE.OLD");
    for (std::size_t at = 0; at < backup.size(); at += 61) {
        std::string bad = backup;
        bad[at] = static_cast<char>(bad[at] ^ 0x55);
        QVERIFY(again(bad).contains("error"));
        QVERIFY(again(backup.substr(0, at)).contains("error"));
        CHECK_JSON(ask("STREAM.INFO.OLD")["error"]["err_code"], 10059);
    }
}

QTEST_GUILESS_MAIN(TestRestoreFileStore)
#include "tst_restore_file_store.moc"
