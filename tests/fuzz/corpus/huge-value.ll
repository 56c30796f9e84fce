@g = global [8 x i8] zeroinitializer
define i32 @main() {
  %v = load [4294967297 x i8], ptr @g
  store [4294967297 x i8] %v, ptr @g
  ret i32 0
}
