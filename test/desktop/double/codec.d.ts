export function encode(value: unknown): string;
export function decode(text: string): unknown;
