@g = global [4294967295 x {}] zeroinitializer
@h = global [4294967295 x {}] zeroinitializer
define i32 @main() {
  %v = load [4294967295 x {}], ptr @g
  store [4294967295 x {}] %v, ptr @h
  call void @llvm.memcpy.p0.p0.i64(ptr @g, ptr @h, i64 0, i1 false)
  ret i32 0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
