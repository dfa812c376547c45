// SPDX-License-Identifier: GPL-3.0-or-later
/** The first `count` items of an iterator that may go on for ever. */
export async function take(iterator, count) {
  const taken = [];
  for await (const item of iterator) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}
