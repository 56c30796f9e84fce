@a = global [4 x i32] zeroinitializer, !dbg !10
@s = global { i32, i32 } zeroinitializer, !dbg !20
@t = global i32 0, !dbg !30
define i32 @main() {
  store i32 1, ptr @a
  store i32 1, ptr @s
  store i32 1, ptr @t
  call void @llvm.memcpy.p0.p0.i64(ptr @s, ptr @a, i64 8, i1 false)
  ret i32 0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/tmp")
!10 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "a", scope: !1, file: !2, line: 1, type: !12, isLocal: false, isDefinition: true)
!12 = distinct !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 128, elements: !13)
!13 = !{!14}
!14 = !DISubrange(count: 4)
!20 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "s", scope: !1, file: !2, line: 1, type: !22, isLocal: false, isDefinition: true)
!22 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !2, line: 1, size: 64, elements: !23)
!23 = !{!24, !25}
!24 = distinct !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !22, file: !2, line: 1, baseType: !22, size: 64)
!25 = distinct !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !22, file: !2, line: 1, baseType: !22, size: 32, offset: 32)
!30 = !DIGlobalVariableExpression(var: !2, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(name: "t", scope: !1, file: !2, line: 1, type: !32, isLocal: false, isDefinition: true)
!32 = distinct !DIDerivedType(tag: DW_TAG_typedef, name: "t", file: !2, line: 1, baseType: !33)
!33 = distinct !DIDerivedType(tag: DW_TAG_const_type, baseType: !32)
