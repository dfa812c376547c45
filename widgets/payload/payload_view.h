// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "items/message_item.h"

#include <QWidget>

#include <optional>

class QButtonGroup;
class QLabel;
class QPlainTextEdit;
class QTableWidget;
class QToolButton;

namespace jetglass::payload {

class JsonHighlighter;

/// Headers and payload of one message as JSON, text or hex. Shows what fits the content unless the
/// reader chose a form. Very large payloads are cut, with a notice and a way to see all.
class PayloadView : public QWidget
{
    Q_OBJECT

public:
    enum class Form
    {
        Json,
        Text,
        Hex
    };
    /// Bytes that are shown at once.
    static constexpr qsizetype kTextLimit = qsizetype{256} * 1024;
    static constexpr qsizetype kHexLimit = qsizetype{32} * 1024;

    explicit PayloadView(QWidget* parent = nullptr);
    ~PayloadView() override;

    void setMessage(const items::PayloadItem& message);
    void clear();
    [[nodiscard]] Form form() const { return m_form; }
    void setForm(Form form); ///< as if the reader had chosen it
    [[nodiscard]] QString shownText() const;
    [[nodiscard]] bool isCut() const { return m_cut; }

public slots:
    void copy(); ///< the whole payload at hand, in the form shown
    void showAll();

signals:
    /// The rest of a payload of which only the first bytes are at hand; answer with setMessage().
    void loadAllRequested(quint64 seq);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void retranslate();
    void applyLook();
    void chooseForm();
    void showPayload();
    void fitTitle();
    void showHeaders();
    void updateNotice(qsizetype shown);
    [[nodiscard]] QString textOf(const QByteArray& bytes, Form form) const;

    items::PayloadItem m_message;
    bool m_hasMessage = false;
    bool m_all = false; ///< the reader wants everything of this message
    bool m_cut = false;
    bool m_linesBroken = false;
    Form m_form = Form::Text;
    std::optional<Form> m_wanted; ///< chosen by the reader; kept from message to message

    QLabel* m_headersTitle = nullptr;
    QTableWidget* m_headers = nullptr;
    QLabel* m_payloadTitle = nullptr;
    QButtonGroup* m_forms = nullptr;
    QToolButton* m_copy = nullptr;
    QWidget* m_notice = nullptr;
    QLabel* m_noticeText = nullptr;
    QToolButton* m_showAll = nullptr;
    QPlainTextEdit* m_text = nullptr;
    JsonHighlighter* m_highlighter = nullptr;
};

} // namespace jetglass::payload
