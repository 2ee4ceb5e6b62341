; What Numba's run time does for arrays, for one thread and a memory that grows: blocks behind each other, given back
; from the end. The 64 bytes before a block are its count of references (i64), the block before it (i32) and whether it
; has been released (i32). Numba counts the references of its arrays; a block of the page's has one.

@top = internal global i32 HEAP
@last = internal global i32 0

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.trap()

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {
  %header = load i32, ptr @top
  %begin = zext i32 %header to i64
  %wanted = add i64 %size, 127
  %end = add i64 %begin, %wanted
  %negative = icmp slt i64 %size, 0
  %huge = icmp ugt i64 %end, 4294901760
  %wrong = or i1 %negative, %huge
  br i1 %wrong, label %fail, label %room
room:
  %end32 = trunc i64 %end to i32
  %next = and i32 %end32, -64
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %needed0 = add i32 %next, 65535
  %needed = lshr i32 %needed0, 16
  %enough = icmp ule i32 %needed, %pages
  br i1 %enough, label %done, label %grow
grow:
  %lacking = sub i32 %needed, %pages
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %lacking)
  %refused = icmp eq i32 %before, -1
  br i1 %refused, label %fail, label %done
done:
  %block = inttoptr i32 %header to ptr
  store i64 1, ptr %block
  %behind = getelementptr i8, ptr %block, i32 8
  %previous = load i32, ptr @last
  store i32 %previous, ptr %behind
  %released = getelementptr i8, ptr %block, i32 12
  store i32 0, ptr %released
  store i32 %header, ptr @last
  store i32 %next, ptr @top
  ret ptr %block
fail:
  call void @llvm.trap()
  unreachable
}

define void @NRT_free(ptr %block) noinline {
  %mark = getelementptr i8, ptr %block, i32 12
  store i32 1, ptr %mark
  br label %look
look:
  %header = load i32, ptr @last
  %none = icmp eq i32 %header, 0
  br i1 %none, label %end, label %there
there:
  %here = inttoptr i32 %header to ptr
  %place = getelementptr i8, ptr %here, i32 12
  %free = load i32, ptr %place
  %kept = icmp eq i32 %free, 0
  br i1 %kept, label %end, label %back
back:
  store i32 %header, ptr @top
  %link = getelementptr i8, ptr %here, i32 8
  %previous = load i32, ptr %link
  store i32 %previous, ptr @last
  br label %look
end:
  ret void
}

define void @NRT_incref(ptr %block) {
  %null = icmp eq ptr %block, null
  br i1 %null, label %end, label %count
count:
  %n = load i64, ptr %block
  %more = add i64 %n, 1
  store i64 %more, ptr %block
  br label %end
end:
  ret void
}

define void @NRT_decref(ptr %block) {
  %null = icmp eq ptr %block, null
  br i1 %null, label %end, label %count
count:
  %n = load i64, ptr %block
  %less = sub i64 %n, 1
  store i64 %less, ptr %block
  %none = icmp eq i64 %less, 0
  br i1 %none, label %free, label %end
free:
  call void @NRT_free(ptr %block)
  br label %end
end:
  ret void
}

define ptr @NRT_MemInfo_data_fast(ptr %block) alwaysinline {
  %data = getelementptr i8, ptr %block, i32 64
  ret ptr %data
}

define ptr @allocate(i32 %bytes) {
  %size = zext i32 %bytes to i64
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  %data = getelementptr i8, ptr %block, i32 64
  ret ptr %data
}

define void @release(ptr %data) {
  %block = getelementptr i8, ptr %data, i32 -64
  call void @NRT_free(ptr %block)
  ret void
}

; What is only copied through for a moment, where the two sides of an assignment might overlap.
define ptr @NRT_Allocate(i64 %size) {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  %data = getelementptr i8, ptr %block, i32 64
  ret ptr %data
}

define void @NRT_Free(ptr %data) {
  call void @release(ptr %data)
  ret void
}

; The strides of an array in another shape, which is always in one piece here: those of its last place first.
define i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %n, ptr %shape, ptr %out, i64 %item, i32 %f) {
start:
  br label %look
look:
  %k = phi i64 [ %n, %start ], [ %next, %more ]
  %stride = phi i64 [ %item, %start ], [ %wider, %more ]
  %any = icmp sgt i64 %k, 0
  br i1 %any, label %more, label %end
more:
  %next = sub i64 %k, 1
  %place = getelementptr i64, ptr %out, i64 %next
  store i64 %stride, ptr %place
  %there = getelementptr i64, ptr %shape, i64 %next
  %size = load i64, ptr %there
  %wider = mul i64 %stride, %size
  br label %look
end:
  ret i32 1
}

; The product of two numbers of 128 bits, with which LLVM looks whether a product of 64 overflows. Not to be optimized: it
; would be found to be what it is, and call itself.
define void @__multi3(ptr %out, i64 %a, i64 %ah, i64 %b, i64 %bh) noinline optnone {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %middle = add i64 %p10, %carry
  %low = and i64 %middle, 4294967295
  %other = add i64 %p01, %low
  %up = lshr i64 %middle, 32
  %up2 = lshr i64 %other, 32
  %high0 = add i64 %p11, %up
  %high1 = add i64 %high0, %up2
  %c0 = mul i64 %a, %bh
  %c1 = mul i64 %ah, %b
  %high2 = add i64 %high1, %c0
  %high = add i64 %high2, %c1
  %product = mul i64 %a, %b
  store i64 %product, ptr %out
  %behind = getelementptr i8, ptr %out, i32 8
  store i64 %high, ptr %behind
  ret void
}
