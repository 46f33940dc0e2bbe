/* The header is C, too. */
#include "heat.h"

#include <stdio.h>

int main(void) {
  float plate[4] = {0, 0, 0, 4}, settled[4];
  int64_t iterations = 0;
  arrt_context *ctx = arrt_context_create(NULL);
  int32_t status = heat(ctx, 2, 2, plate, 0.5f, 100, settled, &iterations);
  printf("plain: status %d, %d iterations\n", status, (int)iterations);
  arrt_context_destroy(ctx);
  return status;
}
