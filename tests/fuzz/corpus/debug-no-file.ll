define i32 @main() !dbg !3 {
  %x = alloca i32
  store i32 1, ptr %x
  ret i32 0
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/tmp")
!3 = distinct !DISubprogram(name: "main", unit: !1, spFlags: DISPFlagDefinition)
