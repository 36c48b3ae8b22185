// An atomic fold for operators that the hardware has no atomic operation for: again, until no other
// came between.

DEVICE void atomic_fold(Acc* all, Acc value) {
    typedef Unsigned<sizeof(Acc)>::Type Word;
    // A guess; the exchange tells what is there.
    Word seen = from_bits<Word>(neutral());
    for (;;) {
        const Word wanted = from_bits<Word>(combine(from_bits<Acc>(seen), value));
        const Word before = compare_exchange(reinterpret_cast<Word*>(all), seen, wanted);
        if (before == seen) return;
        seen = before;
    }
}
