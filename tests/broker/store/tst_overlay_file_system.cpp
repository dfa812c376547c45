// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay against the real file system: the same random calls on a copy, the same files.
#include "store/overlay_file_system.h"
#include "store/posix_file_system.h"

#include <QDirIterator>
#include <QMap>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <random>

using namespace jetglass;
using namespace jetglass::store;

namespace {

const std::array<const char*, 4> kFolders{"a", "a/b", "c", "c/d/e"};
const std::array<const char*, 3> kFiles{"1", "2", "3"};

void write(
    FileSystem& files, const std::string& path, std::uint64_t offset, const std::string& text)
{
    auto file = files.open(path, FileSystem::Mode::Create);
    if (!file)
        return;
    const std::array<std::string_view, 1> pieces{text};
    static_cast<void>((*file)->write(offset, pieces).ok());
}

/// Every file below with its content, as the file system itself tells.
void collect(FileSystem& files, const std::string& path, std::map<std::string, std::string>& into)
{
    const auto names = files.list(path);
    if (!names)
        return;
    for (const std::string& name : *names) {
        const std::string child = path + "/" + name;
        if (files.list(child).ok()) {
            into[child + "/"];
            collect(files, child, into);
            continue;
        }
        auto file = files.open(child, FileSystem::Mode::Read);
        if (!file)
            continue;
        std::string bytes(*(*file)->size(), '\0');
        static_cast<void>((*file)->read(0, bytes.data(), bytes.size()).ok());
        into[child] = bytes;
    }
}

std::map<std::string, std::string> everything(FileSystem& files, const std::string& root)
{
    std::map<std::string, std::string> all;
    collect(files, root, all);
    std::map<std::string, std::string> relative;
    for (const auto& [path, bytes] : all)
        relative[path.substr(root.size())] = bytes;
    return relative;
}

QString said(int step, int which, const std::string& path, const char* what)
{
    return QString("step %1, call %2: %3 %4")
        .arg(step)
        .arg(which)
        .arg(QString::fromStdString(path), QLatin1String(what));
}

} // namespace

class TestOverlayFileSystem : public QObject
{
    Q_OBJECT

private slots:
    void doesWhatTheRealOneDoes_data();
    void doesWhatTheRealOneDoes();
    void errorsAreThoseOfTheRealOne();

private:
    static void fill(const std::string& root)
    {
        PosixFileSystem files;
        for (const char* folder : kFolders) {
            const std::string path = root + "/" + folder;
            QVERIFY(files.makeDirectories(path).ok());
            for (const char* name : kFiles)
                write(files, path + "/" + name, 0, std::string("first ") + folder + name);
        }
    }
};

void TestOverlayFileSystem::doesWhatTheRealOneDoes_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 20; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TestOverlayFileSystem::doesWhatTheRealOneDoes()
{
    QFETCH(int, seed);
    const QTemporaryDir below;
    const QTemporaryDir real;
    const std::string belowRoot = below.path().toStdString();
    const std::string realRoot = real.path().toStdString();
    fill(belowRoot);
    fill(realRoot);
    PosixFileSystem posix;
    const auto untouched = everything(posix, belowRoot);
    OverlayFileSystem overlay(posix);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto place = [&random] {
        return std::string("/") + kFolders[random() % kFolders.size()];
    };
    const auto both = [&](const auto& act) {
        act(static_cast<FileSystem&>(overlay), belowRoot);
        act(static_cast<FileSystem&>(posix), realRoot);
    };
    for (int step = 0; step < 50; ++step) {
        const std::string folder = place();
        const std::string file = folder + "/" + kFiles[random() % kFiles.size()];
        const std::string other = place() + "-" + std::to_string(random() % 3);
        const std::uint64_t offset = random() % 20;
        const auto which = static_cast<int>(random() % 7);
        both([&](FileSystem& files, const std::string& root) {
            switch (which) {
            case 0:
                return write(files, root + file, offset, "step " + std::to_string(step));
            case 1:
                if (auto opened = files.open(root + file, FileSystem::Mode::ReadWrite))
                    static_cast<void>((*opened)->truncate(offset).ok());
                return;
            case 2:
                if (files.exists(root + file))
                    static_cast<void>(files.remove(root + file).ok());
                return;
            case 3:
                if (step % 4 == 0)
                    static_cast<void>(files.removeTree(root + folder).ok());
                return;
            case 4:
                static_cast<void>(files.makeDirectories(root + folder).ok());
                return;
            case 5:
                if (files.exists(root + folder) && !files.exists(root + other))
                    static_cast<void>(files.rename(root + folder, root + other).ok());
                return;
            default:
                if (files.exists(root + file) && files.exists(root + folder))
                    static_cast<void>(files.rename(root + file, root + folder + "/moved").ok());
                return;
            }
        });
        const auto seen = everything(overlay, belowRoot);
        const auto expected = everything(posix, realRoot);
        if (seen == expected)
            continue;
        for (const auto& [path, bytes] : expected)
            QVERIFY2(seen.contains(path), qPrintable(said(step, which, path, "is missing")));
        for (const auto& [path, bytes] : seen) {
            QVERIFY2(expected.contains(path), qPrintable(said(step, which, path, "is too much")));
            QCOMPARE(bytes, expected.at(path));
        }
    }
    QCOMPARE(everything(posix, belowRoot), untouched);
}

void TestOverlayFileSystem::errorsAreThoseOfTheRealOne()
{
    const QTemporaryDir below;
    const std::string root = below.path().toStdString();
    fill(root);
    PosixFileSystem posix;
    OverlayFileSystem overlay(posix);
    QVERIFY(overlay.removeTree(root + "/a").ok());
    for (const FileSystem::Mode mode : {FileSystem::Mode::Read, FileSystem::Mode::ReadWrite}) {
        const auto opened = overlay.open(root + "/a/1", mode);
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, Errc::NotFound);
    }
    QCOMPARE(overlay.remove(root + "/a/1").error().code, Errc::NotFound);
    QCOMPARE(overlay.rename(root + "/a", root + "/z").error().code, Errc::NotFound);
    QVERIFY(!overlay.list(root + "/a").ok());
    const auto reading = overlay.open(root + "/c/1", FileSystem::Mode::Read);
    QVERIFY(reading.ok());
    QVERIFY(!(*reading)->truncate(0).ok());
}

QTEST_GUILESS_MAIN(TestOverlayFileSystem)
#include "tst_overlay_file_system.moc"
