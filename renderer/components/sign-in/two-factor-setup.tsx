import type { ReactNode } from 'react';
import type { TwoFactorOffer } from '#api/auth/two-factor.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { QrCode } from '#renderer/components/links/qr-code.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { TextField } from '#renderer/plain/field.tsx';
import classes from './two-factor.module.css';

interface Props {
  offer: TwoFactorOffer;
  /** What is wrong with the code. */
  error?: ReactNode;
  onCode?: (code: string) => void;
}

/** Shows a new secret to an authenticator app, and asks for its first code in the field `code`. For light pages, too. */
export function TwoFactorSetup({ offer: { secret, uri }, error, onCode }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.setup}>
      <p>{t('twoFactor.scan')}</p>
      <div className={classes.qr}>
        <QrCode text={uri} label={t('twoFactor.qr')} />
      </div>
      <p>{t('twoFactor.secret')}</p>
      <div className={shared.copyable}>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={secret} label={t('twoFactor.copySecret')} />
      </div>
      <TextField
        name="code"
        label={t('twoFactor.code')}
        description={t('twoFactor.codeHint')}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        autoFocus
        data-autofocus
        onInput={(event) => onCode?.(event.currentTarget.value)}
      />
    </div>
  );
}
