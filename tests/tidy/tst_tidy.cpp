// SPDX-License-Identifier: GPL-3.0-or-later
// The tree's own rules: what a compiler does not see.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <map>

class TestTidy : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void everySourceSaysItsLicense();
    void filesHoldOneIdea();
    void everySourceIsBuilt();
    void brokerPartsKeepTheirOrder();
    void nothingNamesAMachine();
    void widgetsKnowNothingOfTheBroker();

private:
    struct Source
    {
        QString path; ///< relative to the root
        QStringList lines;
    };
    QList<Source> m_sources;
};

void TestTidy::initTestCase()
{
    const QDir root(QStringLiteral(SOURCE_ROOT));
    for (const QString& top : {QStringLiteral("app"),
             QStringLiteral("broker"),
             QStringLiteral("widgets"),
             QStringLiteral("tests")}) {
        QDirIterator files(root.filePath(top),
            {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
            QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (path.contains(QStringLiteral("/node_modules/")))
                continue;
            QFile file(path);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
            m_sources.append({root.relativeFilePath(path),
                QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))});
        }
    }
    QVERIFY(m_sources.size() > 40);
}

void TestTidy::everySourceSaysItsLicense()
{
    QStringList bad;
    for (const Source& source : m_sources)
        if (source.lines.value(0) != QStringLiteral("// SPDX-License-Identifier: GPL-3.0-or-later"))
            bad << source.path;
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QStringLiteral("\n"))));
}

void TestTidy::filesHoldOneIdea()
{
    constexpr int kMostLines = 500; // of tests as well: they are read as often
    QStringList bad;
    for (const Source& source : m_sources) {
        if (source.lines.size() > kMostLines + 1)
            bad << QStringLiteral("%1: %2 lines, at most %3")
                       .arg(source.path)
                       .arg(source.lines.size() - 1)
                       .arg(kMostLines);
    }
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QStringLiteral("\n"))));
}

void TestTidy::everySourceIsBuilt()
{
    QStringList bad;
    for (const Source& source : m_sources) {
        if (!source.path.endsWith(QStringLiteral(".cpp")))
            continue;
        const QFileInfo info(QStringLiteral(SOURCE_ROOT "/") + source.path);
        bool named = false;
        // Named in its own folder's list or in one of the folders above.
        for (QDir dir = info.dir(); !named && dir.path().size() >= int(qstrlen(SOURCE_ROOT));
             dir.cdUp()) {
            for (const QString& list :
                dir.entryList({QStringLiteral("CMakeLists.txt"), QStringLiteral("*.cmake")})) {
                QFile file(dir.filePath(list));
                if (file.open(QIODevice::ReadOnly)
                    && file.readAll().contains(info.completeBaseName().toUtf8()))
                    named = true;
            }
        }
        if (!named)
            bad << source.path;
    }
    QVERIFY2(bad.isEmpty(),
        qPrintable(QStringLiteral("not in any CMake list:\n") + bad.join(QStringLiteral("\n"))));
}

void TestTidy::brokerPartsKeepTheirOrder()
{
    // A part may include what stands before it (and the public headers).
    const QStringList order{QStringLiteral("base"),
        QStringLiteral("archive"),
        QStringLiteral("protocol"),
        QStringLiteral("subjects"),
        QStringLiteral("accounts"),
        QStringLiteral("store"),
        QStringLiteral("flow"),
        QStringLiteral("streams"),
        QStringLiteral("consumers"),
        QStringLiteral("queries"),
        QStringLiteral("lab"),
        QStringLiteral("monitor"),
        QStringLiteral("api"),
        QStringLiteral("server"),
        QStringLiteral("net"),
        QStringLiteral("host"),
        QStringLiteral("daemon")};
    static const QRegularExpression include(QStringLiteral("^#include \"([a-z_]+)/"));
    QStringList bad;
    for (const Source& source : m_sources) {
        const qsizetype own = order.indexOf(source.path.section(QLatin1Char('/'), 1, 1));
        if (!source.path.startsWith(QStringLiteral("broker/")) || own < 0)
            continue;
        for (const QString& line : source.lines) {
            const auto match = include.match(line);
            if (match.hasMatch() && order.indexOf(match.captured(1)) > own)
                bad << source.path + QStringLiteral(": ") + line;
        }
    }
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QStringLiteral("\n"))));
}

void TestTidy::nothingNamesAMachine()
{
    static const QRegularExpression machine(QStringLiteral("\"/(work|home|root|Users)/"));
    QStringList bad;
    for (const Source& source : m_sources)
        for (const QString& line : source.lines)
            if (!source.path.endsWith(QStringLiteral("tst_tidy.cpp"))
                && machine.match(line).hasMatch())
                bad << source.path + QStringLiteral(": ") + line;
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QStringLiteral("\n"))));
}

void TestTidy::widgetsKnowNothingOfTheBroker()
{
    QStringList bad;
    for (const Source& source : m_sources)
        if (source.path.startsWith(QStringLiteral("widgets/")))
            for (const QString& line : source.lines)
                if (line.startsWith(QStringLiteral("#include \"broker/"))
                    || line.contains(QStringLiteral("<nats")))
                    bad << source.path + QStringLiteral(": ") + line;
    QVERIFY2(bad.isEmpty(), qPrintable(bad.join(QStringLiteral("\n"))));
}

QTEST_GUILESS_MAIN(TestTidy)
#include "tst_tidy.moc"
