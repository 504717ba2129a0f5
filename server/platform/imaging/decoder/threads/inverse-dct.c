// The inverse transforms of HEVC (ITU-T H.265, 8.6.4.2) for pictures of 8 bits, with the SIMD instructions of WebAssembly. inverse-dct-program.ts contains the
// program that Debian 12’s clang and lld make of it:
//   clang-14 --target=wasm32-unknown-emscripten -msimd128 -Os -fPIC -ffreestanding -fno-builtin -fvisibility=hidden -c inverse-dct.c -o inverse-dct.o
//   wasm-ld-14 -shared --experimental-pic --strip-all inverse-dct.o -o inverse-dct.wasm
#include <stdint.h>
#include <wasm_simd128.h>

/** The first half of each row of the transformation matrix; the second half mirrors it, negated in odd rows. */
static const int8_t MATRIX[32][16] = {
  {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64},
  {90, 90, 88, 85, 82, 78, 73, 67, 61, 54, 46, 38, 31, 22, 13, 4},
  {90, 87, 80, 70, 57, 43, 25, 9, -9, -25, -43, -57, -70, -80, -87, -90},
  {90, 82, 67, 46, 22, -4, -31, -54, -73, -85, -90, -88, -78, -61, -38, -13},
  {89, 75, 50, 18, -18, -50, -75, -89, -89, -75, -50, -18, 18, 50, 75, 89},
  {88, 67, 31, -13, -54, -82, -90, -78, -46, -4, 38, 73, 90, 85, 61, 22},
  {87, 57, 9, -43, -80, -90, -70, -25, 25, 70, 90, 80, 43, -9, -57, -87},
  {85, 46, -13, -67, -90, -73, -22, 38, 82, 88, 54, -4, -61, -90, -78, -31},
  {83, 36, -36, -83, -83, -36, 36, 83, 83, 36, -36, -83, -83, -36, 36, 83},
  {82, 22, -54, -90, -61, 13, 78, 85, 31, -46, -90, -67, 4, 73, 88, 38},
  {80, 9, -70, -87, -25, 57, 90, 43, -43, -90, -57, 25, 87, 70, -9, -80},
  {78, -4, -82, -73, 13, 85, 67, -22, -88, -61, 31, 90, 54, -38, -90, -46},
  {75, -18, -89, -50, 50, 89, 18, -75, -75, 18, 89, 50, -50, -89, -18, 75},
  {73, -31, -90, -22, 78, 67, -38, -90, -13, 82, 61, -46, -88, -4, 85, 54},
  {70, -43, -87, 9, 90, 25, -80, -57, 57, 80, -25, -90, -9, 87, 43, -70},
  {67, -54, -78, 38, 85, -22, -90, 4, 90, 13, -88, -31, 82, 46, -73, -61},
  {64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64, 64, -64, -64, 64},
  {61, -73, -46, 82, 31, -88, -13, 90, -4, -90, 22, 85, -38, -78, 54, 67},
  {57, -80, -25, 90, -9, -87, 43, 70, -70, -43, 87, 9, -90, 25, 80, -57},
  {54, -85, -4, 88, -46, -61, 82, 13, -90, 38, 67, -78, -22, 90, -31, -73},
  {50, -89, 18, 75, -75, -18, 89, -50, -50, 89, -18, -75, 75, 18, -89, 50},
  {46, -90, 38, 54, -90, 31, 61, -88, 22, 67, -85, 13, 73, -82, 4, 78},
  {43, -90, 57, 25, -87, 70, 9, -80, 80, -9, -70, 87, -25, -57, 90, -43},
  {38, -88, 73, -4, -67, 90, -46, -31, 85, -78, 13, 61, -90, 54, 22, -82},
  {36, -83, 83, -36, -36, 83, -83, 36, 36, -83, 83, -36, -36, 83, -83, 36},
  {31, -78, 90, -61, 4, 54, -88, 82, -38, -22, 73, -90, 67, -13, -46, 85},
  {25, -70, 90, -80, 43, 9, -57, 87, -87, 57, -9, -43, 80, -90, 70, -25},
  {22, -61, 85, -90, 73, -38, -4, 46, -78, 90, -82, 54, -13, -31, 67, -88},
  {18, -50, 75, -89, 89, -75, 50, -18, -18, 50, -75, 89, -89, 75, -50, 18},
  {13, -38, 61, -78, 88, -90, 85, -73, 54, -31, 4, 22, -46, 67, -82, 90},
  {9, -25, 43, -57, 70, -80, 87, -90, 90, -87, 80, -70, 57, -43, 25, -9},
  {4, -13, 22, -31, 38, -46, 54, -61, 67, -73, 78, -82, 85, -88, 90, -90},
};

/** Pairs of rows of the matrix for 4, 8, 16 and 32 elements, element by element, as one instruction takes them; in memory that the caller gives. */
static int16_t *pairs;
enum { PAIRS4 = 0, PAIRS8 = PAIRS4 + 4 * 4, PAIRS16 = PAIRS8 + 8 * 8, PAIRS32 = PAIRS16 + 16 * 16 };

static int element(int row, int column) {
  return column < 16 ? MATRIX[row][column] : (row & 1 ? -MATRIX[row][31 - column] : MATRIX[row][31 - column]);
}

static void fill(int16_t *to, int n) {
  int step = 32 / n;
  for (int k = 0; k < n; k += 2)
    for (int x = 0; x < n; x++) {
      *to++ = element(k * step, x);
      *to++ = element((k + 1) * step, x);
    }
}

__attribute__((export_name("prepare"))) void prepare(int16_t *space) {
  pairs = space;
  fill(pairs + PAIRS4, 4);
  fill(pairs + PAIRS8, 8);
  fill(pairs + PAIRS16, 16);
  fill(pairs + PAIRS32, 32);
}

#define LOAD(p) wasm_v128_load(p)
#define DOT wasm_i32x4_dot_i16x8
#define ADD wasm_i32x4_add

/** The number of leading rows and columns with coefficients that aren't zero, both rounded up. */
static inline __attribute__((always_inline)) void bounds(const int16_t *c, int n, int *rows, int *columns) {
  int last = 0;
  v128_t seen[4] = {wasm_i64x2_const(0, 0), wasm_i64x2_const(0, 0), wasm_i64x2_const(0, 0), wasm_i64x2_const(0, 0)};
  for (int y = 0; y < n; y++) {
    v128_t any = wasm_i64x2_const(0, 0);
    for (int g = 0; g < n / 8; g++) {
      v128_t v = LOAD(c + y * n + g * 8);
      any = wasm_v128_or(any, v);
      seen[g] = wasm_v128_or(seen[g], v);
    }
    if (wasm_v128_any_true(any)) last = y + 1;
  }
  *rows = (last + 1) & ~1;
  int groups = 0;
  for (int g = 0; g < n / 8; g++)
    if (wasm_v128_any_true(seen[g])) groups = g + 1;
  *columns = groups * 8;
}

static inline __attribute__((always_inline)) void transform(uint8_t *dst, const int16_t *c, int stride, int n, const int16_t *pairs) {
  int16_t between[32 * 32] __attribute__((aligned(16)));
  int rows, columns;
  bounds(c, n, &rows, &columns);
  const v128_t round1 = wasm_i32x4_const_splat(64), round2 = wasm_i32x4_const_splat(2048);
  // Columns: eight at once; rows k and k + 1 in pairs.
  for (int x = 0; x < columns; x += 8) {
    v128_t low[16], high[16];
    for (int k = 0; k < rows; k += 2) {
      v128_t a = LOAD(c + k * n + x), b = LOAD(c + (k + 1) * n + x);
      low[k / 2] = wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      high[k / 2] = wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    for (int y = 0; y < n; y++) {
      v128_t l = round1, h = round1;
      for (int k = 0; k < rows / 2; k++) {
        v128_t m = wasm_v128_load32_splat(pairs + (k * n + y) * 2);
        l = ADD(l, DOT(low[k], m));
        h = ADD(h, DOT(high[k], m));
      }
      wasm_v128_store(between + y * n + x, wasm_i16x8_narrow_i32x4(wasm_i32x4_shr(l, 7), wasm_i32x4_shr(h, 7)));
    }
  }
  // Rows.
  for (int y = 0; y < n; y++, dst += stride) {
    const int16_t *g = between + y * n;
    for (int x = 0; x < n; x += 8) {
      v128_t l = round2, h = round2;
      for (int k = 0; k < columns / 2; k++) {
        v128_t v = wasm_v128_load32_splat(g + 2 * k);
        l = ADD(l, DOT(v, LOAD(pairs + (k * n + x) * 2)));
        h = ADD(h, DOT(v, LOAD(pairs + (k * n + x + 4) * 2)));
      }
      v128_t added = wasm_i16x8_narrow_i32x4(wasm_i32x4_shr(l, 12), wasm_i32x4_shr(h, 12));
      v128_t sum = wasm_i16x8_add_sat(wasm_u16x8_load8x8(dst + x), added);
      wasm_v128_store64_lane(dst + x, wasm_u8x16_narrow_i16x8(sum, sum), 0);
    }
  }
}

__attribute__((export_name("add4"))) void add4(uint8_t *dst, const int16_t *c, int stride) {
  const v128_t round1 = wasm_i32x4_const_splat(64), round2 = wasm_i32x4_const_splat(2048);
  v128_t a = LOAD(c), b = LOAD(c + 8);
  v128_t k01 = wasm_i16x8_shuffle(a, a, 0, 4, 1, 5, 2, 6, 3, 7);
  v128_t k23 = wasm_i16x8_shuffle(b, b, 0, 4, 1, 5, 2, 6, 3, 7);
  v128_t m01 = LOAD(pairs + PAIRS4), m23 = LOAD(pairs + PAIRS4 + 8);
  for (int y = 0; y < 4; y++, dst += stride) {
    v128_t s = ADD(ADD(round1, DOT(k01, wasm_v128_load32_splat(pairs + PAIRS4 + 2 * y))), DOT(k23, wasm_v128_load32_splat(pairs + PAIRS4 + 8 + 2 * y)));
    s = wasm_i32x4_shr(s, 7);
    v128_t g = wasm_i16x8_narrow_i32x4(s, s);
    v128_t r = ADD(ADD(round2, DOT(wasm_i32x4_shuffle(g, g, 0, 0, 0, 0), m01)), DOT(wasm_i32x4_shuffle(g, g, 1, 1, 1, 1), m23));
    r = wasm_i32x4_shr(r, 12);
    v128_t sum = wasm_i16x8_add_sat(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(dst)), wasm_i16x8_narrow_i32x4(r, r));
    wasm_v128_store32_lane(dst, wasm_u8x16_narrow_i16x8(sum, sum), 0);
  }
}
__attribute__((export_name("add8"))) void add8(uint8_t *dst, const int16_t *c, int stride) { transform(dst, c, stride, 8, pairs + PAIRS8); }
__attribute__((export_name("add16"))) void add16(uint8_t *dst, const int16_t *c, int stride) { transform(dst, c, stride, 16, pairs + PAIRS16); }
__attribute__((export_name("add32"))) void add32(uint8_t *dst, const int16_t *c, int stride) { transform(dst, c, stride, 32, pairs + PAIRS32); }
