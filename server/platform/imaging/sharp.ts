import type Sharp from 'sharp';

/** The one way to sharp, with its settings. It is loaded on first use, because loading costs more than starting the service. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { sharp } = await import('./sharp-once.ts');
  return sharp;
}
