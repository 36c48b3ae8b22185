DEVICE i32 statements(i32 x) {
    if (x < 0) {
        return -1;
    }
    i32 sum = 0;
    for (i32 k = 0; k < 4; ++k) {
        sum = rust::add(sum, k);
    }
    i32 t__1 = sum;
    i32 t__2;
    i32 t__3 = x;
    if (t__3 == 1 || t__3 == 2) {
        t__2 = 10;
    } else {
        t__2 = x;
    }
    return rust::add(t__1, t__2);
}
