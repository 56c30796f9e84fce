target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @main() {
entry:
  %0 = load i32, ptr null, align 4, !dbg !4
  ret i32 0
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, globals: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "/work/h/front10/tests/programs/library/timed_wait.c", directory: "/work/h/front10", checksumkind: CSK_MD5, checksum: "b5f872e392a53c11c1ebc6ed55eb482d")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DILocation(line: 0, column: 19, scope: !5)
!5 = distinct !DILexicalBlock(scope: !12, file: !6, line: 68, column: 3)
!6 = !DILocation(line: 31, column: 9, scope: !7)
!7 = distinct !DILexicalBlock(scope: !9, file: !8, line: 30, column: 15)
!8 = !DIFile(filename: "tests/programs/library/timed_wait.c", directory: "/work/h/front10", checksumkind: CSK_MD5, checksum: "b5f872e392a53c11c1ebc6ed55eb482d")
!9 = distinct !DILexicalBlock(scope: !10, file: !8, line: 30, column: 7)
!10 = distinct !DISubprogram(name: "waiter", scope: !8, file: !8, line: 24, type: !11, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !2)
!11 = distinct !DISubroutineType(types: !2)
!12 = distinct !DILexicalBlock(scope: !13, file: !8, line: 68, column: 3)
!13 = distinct !DISubprogram(name: "main", scope: !8, file: !8, line: 66, type: !14, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!14 = !DISubroutineType(types: !2)
