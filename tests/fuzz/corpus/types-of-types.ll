%a0 = type {}
%a1 = type { %a0, %a0 }
%a2 = type { %a1, %a1 }
%a3 = type { %a2, %a2 }
%a4 = type { %a3, %a3 }
%a5 = type { %a4, %a4 }
%a6 = type { %a5, %a5 }
%a7 = type { %a6, %a6 }
%a8 = type { %a7, %a7 }
%a9 = type { %a8, %a8 }
%a10 = type { %a9, %a9 }
%a11 = type { %a10, %a10 }
%a12 = type { %a11, %a11 }
%a13 = type { %a12, %a12 }
%a14 = type { %a13, %a13 }
%a15 = type { %a14, %a14 }
%a16 = type { %a15, %a15 }
%a17 = type { %a16, %a16 }
%a18 = type { %a17, %a17 }
%a19 = type { %a18, %a18 }
%a20 = type { %a19, %a19 }
%a21 = type { %a20, %a20 }
%a22 = type { %a21, %a21 }
%a23 = type { %a22, %a22 }
%a24 = type { %a23, %a23 }
%a25 = type { %a24, %a24 }
%a26 = type { %a25, %a25 }
%a27 = type { %a26, %a26 }
%a28 = type { %a27, %a27 }
%a29 = type { %a28, %a28 }
%a30 = type { %a29, %a29 }
%a31 = type { %a30, %a30 }
%a32 = type { %a31, %a31 }
%a33 = type { %a32, %a32 }
%a34 = type { %a33, %a33 }
%a35 = type { %a34, %a34 }
%a36 = type { %a35, %a35 }
%a37 = type { %a36, %a36 }
%a38 = type { %a37, %a37 }
%a39 = type { %a38, %a38 }
%a40 = type { %a39, %a39 }
%a41 = type { %a40, %a40 }
%a42 = type { %a41, %a41 }
%a43 = type { %a42, %a42 }
%a44 = type { %a43, %a43 }
%a45 = type { %a44, %a44 }
%a46 = type { %a45, %a45 }
%a47 = type { %a46, %a46 }
%a48 = type { %a47, %a47 }
%a49 = type { %a48, %a48 }
@g = global %a49 zeroinitializer
@h = global %a49 zeroinitializer
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(%a49 %x) {
  ret void
}
define i32 @main() {
  %v = load %a49, ptr @g
  store %a49 %v, ptr @h
  call void @llvm.memcpy.p0.p0.i64(ptr @g, ptr @h, i64 8, i1 false)
  call void @f(%a49 %v)
  ret i32 0
}
