target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.account = type { %struct.pthread_mutex_t, i32 }
%struct.pthread_mutex_t = type { i32, [7 x i32], i32, i32, [4294967296 x ptr] }

@alice = global %struct.account { %struct.pthread_mutex_t zeroinitializer, i32 10 }

define ptr @bob_pays() {
entry:
  %call2.i = load i32, ptr @alice, align 4
  ret ptr null
}

define i32 @main() {
entry:
  %call1 = call i32 null(ptr null, ptr null, ptr @bob_pays, ptr null)
  ret i32 0
}
