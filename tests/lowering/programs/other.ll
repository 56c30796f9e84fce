; What clang makes of C never has, but code of other compilers: remainders and
; extrema of floating point as instructions, pointers as numbers of other widths,
; structures and addresses that are constants, vectors of conditions.

@format = private constant [10 x i8] c"%d %d %g\0A\00"
@number = private constant [4 x i8] c"%g \00"
@text = private constant [6 x i8] c"%llx \00"
@end = private constant [2 x i8] c"\0A\00"
@x = global i32 5
@f = global float 2.0
@d = global double -3.0
@above = global i64 add (i64 ptrtoint (ptr @x to i64), i64 7)
@below = global i64 sub (i64 ptrtoint (ptr @x to i64), i64 2)
@lanes = global <4 x i16> bitcast (<2 x i32> <i32 65538, i32 -3> to <4 x i16>)
@same = alias i32, ptr @x
@through = global ptr @same

declare i32 @printf(ptr, ...)

define void @show(double %v) {
  %r = call i32 (ptr, ...) @printf(ptr @number, double %v)
  ret void
}

define void @hex(i64 %v) {
  %r = call i32 (ptr, ...) @printf(ptr @text, i64 %v)
  ret void
}

define { i32, double } @pair(i1 %which) {
  br i1 %which, label %one, label %other
one:
  ret { i32, double } { i32 7, double 2.5 }
other:
  %p = insertvalue { i32, double } { i32 1, double 1.5 }, i32 9, 0
  ret { i32, double } %p
}

define void @extrema() {
  %a = atomicrmw fmax ptr @f, float 4.0 seq_cst
  %b = atomicrmw fmin ptr @f, float 1.0 monotonic
  %c = atomicrmw fmax ptr @f, float 0x7FF8000000000000 acquire
  %e = atomicrmw fmin ptr @d, double -7.0 seq_cst
  %g = atomicrmw fmax ptr @d, double -9.0 seq_cst
  %fv = load float, ptr @f
  %dv = load double, ptr @d
  %a2 = fpext float %a to double
  %b2 = fpext float %b to double
  %c2 = fpext float %c to double
  %f2 = fpext float %fv to double
  call void @show(double %a2)
  call void @show(double %b2)
  call void @show(double %c2)
  call void @show(double %f2)
  call void @show(double %e)
  call void @show(double %g)
  call void @show(double %dv)
  store float 0x7FF8000000000000, ptr @f
  %n = atomicrmw fmin ptr @f, float 6.0 seq_cst
  %fn = load float, ptr @f
  %fn2 = fpext float %fn to double
  call void @show(double %fn2)
  ret void
}

define void @remainders(double %x, float %y) {
  %a = frem double %x, 2.0
  %b = frem float %y, 3.0
  %b2 = fpext float %b to double
  %l = fpext double %x to x86_fp80
  %m = frem x86_fp80 %l, 0xK40008000000000000000
  %m2 = fptrunc x86_fp80 %m to double
  call void @show(double %a)
  call void @show(double %b2)
  call void @show(double %m2)
  ret void
}

define void @addresses() {
  %at = ptrtoint ptr @x to i64
  %a = load i64, ptr @above
  %b = load i64, ptr @below
  %da = sub i64 %a, %at
  %db = sub i64 %b, %at
  %dc = xor i64 xor (i64 ptrtoint (ptr @x to i64), i64 3), %at
  %narrow = ptrtoint ptr @x to i16
  %cut = trunc i64 %at to i16
  %wide = ptrtoint ptr @x to i128
  %low = trunc i128 %wide to i64
  %s = sub i16 %narrow, %cut
  %s2 = zext i16 %s to i64
  %t = sub i64 %low, %at
  %null = inttoptr i8 0 to ptr
  %is = icmp eq ptr %null, null
  %u = zext i1 %is to i64
  %p = load ptr, ptr @through
  %v = load i32, ptr %p
  %v2 = zext i32 %v to i64
  call void @hex(i64 %da)
  call void @hex(i64 %db)
  call void @hex(i64 %dc)
  call void @hex(i64 %s2)
  call void @hex(i64 %t)
  call void @hex(i64 %u)
  call void @hex(i64 %v2)
  ret void
}

define void @vectors(<4 x i32> %a) {
  %is = icmp sgt <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>
  %r = select <4 x i1> %is, <4 x i32> %a, <4 x i32> <i32 10, i32 20, i32 30, i32 40>
  %e0 = extractelement <4 x i32> %r, i32 0
  %e3 = extractelement <4 x i32> %r, i32 3
  %m = load <4 x i16>, ptr @lanes
  %h0 = extractelement <4 x i16> %m, i32 0
  %h2 = extractelement <4 x i16> %m, i32 2
  %e02 = zext i32 %e0 to i64
  %e32 = zext i32 %e3 to i64
  %h02 = zext i16 %h0 to i64
  %h22 = zext i16 %h2 to i64
  call void @hex(i64 %e02)
  call void @hex(i64 %e32)
  call void @hex(i64 %h02)
  call void @hex(i64 %h22)
  ret void
}

define i32 @main() {
  call void @extrema()
  call void @remainders(double 7.25, float -7.5)
  call void @addresses()
  call void @vectors(<4 x i32> <i32 5, i32 1, i32 5, i32 1>)
  %p = call { i32, double } @pair(i1 true)
  %q = call { i32, double } @pair(i1 false)
  %a = extractvalue { i32, double } %p, 0
  %b = extractvalue { i32, double } %q, 0
  %c = extractvalue { i32, double } %p, 1
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %a, i32 %b, double %c)
  ret i32 0
}
