import { useEffect, useRef } from 'react';
import { ApiError } from '#api/client.ts';
import { useExplain } from './explain.ts';

/** Whether a refusal is about this field of a form. */
export function isAbout(error: unknown, field: string): boolean {
  const named = error instanceof ApiError ? error.details.field : undefined;
  return named === field || named?.startsWith(`${field}.`) === true;
}

/** Answers what is wrong with a field of a form, in words, where the service's refusal is about that field. */
export function useFieldError(error: unknown): (field: string) => string | undefined {
  const explain = useExplain();
  return (field) => {
    if (!isAbout(error, field)) return undefined;
    const { what, next } = explain(error);
    return next ? `${what} ${next}` : what;
  };
}

/** For a form: after a refusal, the focus goes to the field that is wrong, so that people who do not see it hear why. */
export function useFaultFocus(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], input[data-invalid]')?.focus();
  }, [error]);
  return form;
}
