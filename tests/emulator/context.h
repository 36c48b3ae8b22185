// Places of execution to switch between, each with a stack of its own.

#pragma once

#if defined(__x86_64__) && !defined(EMULATOR_UCONTEXT)

struct Context {
    void* stack_pointer;
};

// Saves the registers that a call preserves, and takes up the others'.
extern "C" void emulator_switch(void** save_stack_pointer, void* stack_pointer);

asm(R"(
.text
.hidden emulator_switch
.globl emulator_switch
emulator_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
)");

inline void switch_context(Context& from, Context& to) {
    emulator_switch(&from.stack_pointer, to.stack_pointer);
}

// The first switch to the context calls `body`, which must not return.
inline void prepare_context(Context& context, char* stack, unsigned long bytes, void (*body)()) {
    void** top = reinterpret_cast<void**>(stack + bytes);
    *--top = nullptr;
    *--top = reinterpret_cast<void*>(body);
    for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
    context.stack_pointer = top;
}

#else

#include <ucontext.h>

struct Context {
    ucontext_t saved;
};

inline void switch_context(Context& from, Context& to) {
    swapcontext(&from.saved, &to.saved);
}

// The first switch to the context calls `body`, which must not return.
inline void prepare_context(Context& context, char* stack, unsigned long bytes, void (*body)()) {
    getcontext(&context.saved);
    context.saved.uc_stack.ss_sp = stack;
    context.saved.uc_stack.ss_size = bytes;
    context.saved.uc_link = nullptr;
    makecontext(&context.saved, body, 0);
}

#endif
