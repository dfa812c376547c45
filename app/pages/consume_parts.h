// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/fetch.h"

#include <QHash>
#include <QLabel>
#include <QString>
#include <QStringList>

class QComboBox;
class QWidget;

namespace jetglass::pages {

/// What a button for an answer says, and what pressing it does to the message.
struct VerbWords
{
    QString text;
    QString effect;
};
[[nodiscard]] VerbWords verbWords(client::AckKind kind);

/// Puts \a names into \a box and keeps the current one. Does nothing while they are the same, so an
/// open list stays still; emits nothing.
void refill(QComboBox* box, const QStringList& names);

/// A label for whole sentences, as wrappingLabel(). Its height for a width never shrinks: what
/// stands below must not jump under the pointer while the words change.
class SteadyLabel final : public QLabel
{
public:
    /// Room for so many \a lines from the start.
    SteadyLabel(int lines, QWidget* parent);
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    int m_lines;
    mutable QHash<int, int> m_tallest; ///< by width
};

/// A label for whole sentences: it takes the width it gets and wraps.
[[nodiscard]] QLabel* wrappingLabel(QWidget* parent);

/// Widgets that stay beside each other where a row breaks: a label and its field.
[[nodiscard]] QWidget* together(std::initializer_list<QWidget*> widgets, QWidget* parent);

/// Keeps \a widget so many lines high, so that what is worked with stays in view in a low panel.
void keepLow(QWidget* widget, int lines);

} // namespace jetglass::pages
