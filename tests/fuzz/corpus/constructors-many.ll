@llvm.global_ctors = appending global [4294967295 x { i32, ptr, ptr }] zeroinitializer
define i32 @main() {
  ret i32 0
}
