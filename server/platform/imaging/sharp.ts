import type Sharp from 'sharp';

/** Loads sharp with its settings, on first use: loading it takes longer than starting the service. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { sharp } = await import('./sharp-once.ts');
  return sharp;
}
