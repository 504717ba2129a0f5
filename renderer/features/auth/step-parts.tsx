import type { User } from '#api/auth/auth.ts';
import { ApiError } from '#api/client.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import { isSignedOut } from '#renderer/service/query-client.ts';

// What the second steps of signing in have in common.

export interface StepProps {
  onSignedIn: (user: User) => void | Promise<void>;
  /** Returns to the password. */
  onBack: () => void;
}

/** Leads back to the password. */
export function BackButton({ onBack }: Pick<StepProps, 'onBack'>) {
  const { t } = useTranslation();
  return (
    <Button variant="subtle" onClick={onBack}>
      {t('auth.step.back')}
    </Button>
  );
}

/** Errors that mean something else here: a 401 is a sign-in that took too long, and too many attempts are wrong codes. */
export function stepFault(error: unknown) {
  if (isSignedOut(error)) return 'step_over';
  return error instanceof ApiError && error.code === 'rate_limited' ? 'too_many_codes' : undefined;
}
