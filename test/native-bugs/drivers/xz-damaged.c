/* CVE-2025-31115: a worker of the threaded decoder finds that the data is damaged while more of the block is given to it. */
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 1000
static uint8_t data[SIZE], file[2 * SIZE], out[2 * SIZE];

/* One block with its sizes in the header. The first byte of its data is damaged. */
static size_t make(size_t *damaged) {
  for (uint32_t i = 0, x = 1; i < SIZE; i++) data[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
  lzma_options_lzma options;
  lzma_lzma_preset(&options, 0);
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
  size_t size = 0;
  if (lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL, data, SIZE, file, &size, sizeof file) != LZMA_OK) abort();
  *damaged = LZMA_STREAM_HEADER_SIZE + lzma_block_header_size_decode(file[LZMA_STREAM_HEADER_SIZE]);
  file[*damaged] = 0x7f;
  return size;
}

int main(void) {
  size_t damaged, size = make(&damaged);
  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_mt how = {.threads = 2, .memlimit_threading = 1 << 28, .memlimit_stop = 1 << 28};
  if (lzma_stream_decoder_mt(&stream, &how) != LZMA_OK) abort();
  stream.next_out = out;
  stream.avail_out = sizeof out;
  stream.next_in = file;
  stream.avail_in = damaged + 1;
  lzma_ret ret = lzma_code(&stream, LZMA_RUN);
  if (ret == LZMA_OK) {
    stream.avail_in = size - damaged - 1;
    ret = lzma_code(&stream, LZMA_RUN);
  }
  while (ret == LZMA_OK) ret = lzma_code(&stream, LZMA_FINISH);
  lzma_end(&stream);
  if (ret != LZMA_DATA_ERROR) {
    fprintf(stderr, "lzma_code gave %d\n", ret);
    return 1;
  }
  printf("damaged, and said so\n");
  return 0;
}
