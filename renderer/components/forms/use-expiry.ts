import { useQuery } from '@tanstack/react-query';
import { MAX_EXPIRES_IN } from '#api/constants.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { EXPIRIES } from './expiries.ts';

/** The expiries that the user's group allows, in seconds, as the items of a `Select`; `0` is none. */
export function useExpiryChoices(): { value: string; label: string }[] {
  const { t } = useTranslation();
  const { data: limits } = useQuery(limitsQuery);
  const max = limits?.max_expires_in || 0;
  const allowed = EXPIRIES.filter(({ seconds }) => max === 0 || seconds <= max);
  // A limit below every choice is a choice itself.
  const format = useFormat();
  if (max > 0 && allowed.length === 0) return [{ value: String(max), label: format.period(max) }];
  return [
    ...(max > 0 ? [] : [{ value: '0', label: t('library.never') }]),
    ...allowed.map(({ seconds, label }) => ({ value: String(seconds), label: t(label) })),
  ];
}

/** The longest expiry that the user's group allows, in seconds. */
export function useMaxExpiry(): number {
  const { data: limits } = useQuery(limitsQuery);
  return limits?.max_expires_in || MAX_EXPIRES_IN;
}

/** Says what becomes of a picture at a given time, or, without one, of any picture that expires. */
export function useExpiryText(): (expiresAt?: string | Date) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  const { data: profile } = useQuery(profileQuery);
  const isDeleted = limits?.delete_expired || profile?.preferences.delete_expired;
  return (expiresAt) => {
    if (expiresAt === undefined) return t(isDeleted ? 'expiry.hintNothing' : 'expiry.hintTrash');
    return t(isDeleted ? 'expiry.toNothing' : 'expiry.toTrash', { date: format.moment(expiresAt) });
  };
}
