// An atomic fold for operators that the hardware has no atomic operation for: again, until no other
// came between.

DEVICE void atomic_fold(Acc* all, Acc value) {
    typedef Unsigned<sizeof(Acc)>::Type Word;
    Word* word = reinterpret_cast<Word*>(all);
    Word seen = from_bits<Word>(load_partials<1>(all));
    for (;;) {
        const Word before = compare_exchange(word, seen, from_bits<Word>(combine(from_bits<Acc>(seen), value)));
        if (before == seen) return;
        seen = before;
    }
}
