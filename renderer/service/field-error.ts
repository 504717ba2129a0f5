import { useLayoutEffect, useRef, useState } from 'react';
import { ApiError } from '#api/client.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useExplain } from './explain.ts';

/** Returns a function that explains what is wrong with a field, where the service's refusal names that field. */
export function useFieldError(error: unknown): (field: string) => string | undefined {
  const explain = useExplain();
  const named = error instanceof ApiError ? error.details.field : undefined;
  return (field) => {
    if (named !== field && !named?.startsWith(`${field}.`)) return undefined;
    const { what, next } = explain(error);
    // The field is in sight, and its name in the API means nothing to users.
    return joinSentences(what, next).replace(`The field “${named}”`, 'This value');
  };
}

/**
 * For a form: moves the focus to the field that the service refused, so that a screen reader reads out why.
 * `unplaced` is the error while no field of the form shows it.
 */
export function useRefusal(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [unplaced, setUnplaced] = useState<unknown>(null);
  useLayoutEffect(() => {
    const field = error ? form.current?.querySelector<HTMLElement>('[aria-invalid="true"], input[data-invalid]') : undefined;
    field?.focus();
    setUnplaced(field ? null : error);
  }, [error]);
  return { form, unplaced };
}
