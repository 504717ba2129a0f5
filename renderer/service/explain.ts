import { ApiError, NetworkError } from '#api/client.ts';
import type { ErrorDetails } from '#api/errors.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { errors } from '#texts/en/errors.ts';

/** An error in words: what happened, and what to do next. */
export interface Explanation {
  what: string;
  next: string;
}

/** Errors with words of their own in every language. */
type Known = keyof typeof errors;

/** A refusal by the page itself, before it sends anything; it reads like one by the service. */
export class LocalRefusal extends Error {
  override name = 'LocalRefusal';
  readonly details: Pick<ErrorDetails, 'max_bytes' | 'max_seconds' | 'allowed_exts'> & { code: Known };

  constructor(details: LocalRefusal['details']) {
    super(details.code);
    this.details = details;
  }
}

/** What the responses of proxies mean, by status. */
const OF_PROXY: Partial<Record<number, Known>> = { 413: 'body_too_large', 507: 'storage_full' };

/** Returns a function that explains errors in the user's language. */
export function useExplain(): (error: unknown, as?: Known) => Explanation {
  const { t, language } = useTranslation();
  const format = useFormat();
  return (error, as) => explain(error, { t, language, format, as });
}

interface Explaining {
  t: TFunction;
  language: string;
  format: Pick<ReturnType<typeof useFormat>, 'bytes' | 'length' | 'wait' | 'list'>;
  /** What the error means where it occurred. */
  as?: Known | undefined;
}

/** {@link useExplain} in a given language. */
export function explain(error: unknown, { t, language, format, as }: Explaining): Explanation {
  const details = error instanceof ApiError || error instanceof LocalRefusal ? error.details : undefined;
  if (error instanceof ApiError && error.details.problem && !as) {
    const { problem, limit = 0, subject = '' } = error.details;
    // A newer server may name a problem that this page doesn't know.
    return { what: t(`problems.${problem}`, { limit, subject, defaultValue: error.message }), next: '' };
  }
  const values = {
    max: format.bytes(details?.max_bytes ?? 0),
    duration: format.length(details?.max_seconds ?? 0),
    exts: format.list(details?.allowed_exts ?? []),
    time: format.wait(error instanceof ApiError ? (error.retryAfter ?? 60) : 60),
    request: error instanceof ApiError ? (error.details.request_id ?? '–') : '–',
  };
  if (error instanceof ApiError && !as && language === 'en')
    return { what: error.message, next: error.code === 'internal' ? t('errors.internal.next', values) : '' };
  const code = error instanceof ApiError && error.code === 'quota_exceeded' && error.details.guests ? 'guests_full' : details?.code;
  const known = as ?? code ?? (error instanceof NetworkError ? (OF_PROXY[error.status ?? 0] ?? 'network') : 'unexpected');
  // The service's message is in English, which is better than nothing: a newer service may have a code that this page doesn't know.
  const what = t(`errors.${known}.what`, { ...values, defaultValue: error instanceof ApiError ? error.message : '' });
  // Only the message says which value is wrong.
  if (known === 'invalid_request' && error instanceof ApiError && error.details.field) return { what, next: error.message };
  const needsList = known === 'ext_not_allowed' && !details?.allowed_exts?.length;
  return { what, next: needsList ? '' : t(`errors.${known}.next`, { ...values, defaultValue: '' }) };
}
