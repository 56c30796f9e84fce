@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] zeroinitializer
define i32 @main() {
  ret i32 0
}
