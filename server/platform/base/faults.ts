/** An error as it is told to another thread or process. */
export interface Fault {
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
}

export function faultOf(error: unknown): Fault {
  const { message, code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return { message: message ?? String(error), ...(code && { code }), ...(syscall && { syscall }) };
}

/** The error, as it is thrown where it is told. */
export const errorOf = (fault: Fault): Error => Object.assign(new Error(fault.message), fault);
