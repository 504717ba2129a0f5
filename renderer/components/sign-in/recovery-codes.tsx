import { IconDownload } from '@tabler/icons-react';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ButtonLink } from '#renderer/plain/button.tsx';
import classes from './two-factor.module.css';

/** Recovery codes, which are never shown again, with ways to keep them. For light pages, too. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation();
  const text = `${codes.join('\n')}\n`;
  return (
    <div className={classes.setup}>
      <p>{t('twoFactor.codesText')}</p>
      <ul className={classes.codes} aria-label={t('twoFactor.codesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.actions}>
        <CopyButton wide text={text} label={t('twoFactor.copyCodes')} />
        <ButtonLink
          variant="default"
          icon={<IconDownload size={18} aria-hidden />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="pixdock-recovery-codes.txt"
        >
          {t('twoFactor.saveCodes')}
        </ButtonLink>
      </div>
    </div>
  );
}
