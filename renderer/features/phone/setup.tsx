import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import shared from '#renderer/components/layout/rows.module.css';
import { useTranslation } from '#renderer/i18n/t.ts';
import { Button } from '#renderer/plain/button.tsx';
import classes from './phone.module.css';
import { systemOfPhone } from './this-phone.ts';

const STEPS = {
  apple: ['phone.apple1', 'phone.apple2', 'phone.apple3', 'phone.apple4', 'phone.apple5'],
  android: ['phone.android1', 'phone.android2', 'phone.android3', 'phone.android4', 'phone.android5'],
} as const;
const SYSTEMS = ['apple', 'android'] as const;

const SCRIPT = 'copyToClipboard(JSON.parse(response.body).data.links.url);';

interface Props {
  username: string;
  token: string;
  onDone: () => void;
}

/** The values and steps with which the phone's share sheet uploads (docs/guides/phones.md). */
export function Setup({ username, token, onDone }: Props) {
  const { t } = useTranslation();
  const [system, setSystem] = useState<(typeof SYSTEMS)[number]>(systemOfPhone);
  return (
    <section className={classes.setup}>
      <div role="status" className={classes.head}>
        <IconCircleCheck size={32} stroke={1.4} aria-hidden />
        <h1>{t('phone.doneTitle', { username })}</h1>
      </div>
      <p>{t('phone.doneText')}</p>
      <div className={classes.systems}>
        {SYSTEMS.map((one) => (
          <Button key={one} variant={one === system ? 'filled' : 'default'} aria-pressed={one === system} onClick={() => setSystem(one)}>
            {t(`phone.${one}`)}
          </Button>
        ))}
      </div>
      {/* The address that this phone has just reached, whatever the link address is. */}
      <Value label={t('phone.address')} copy={t('phone.copyAddress')} text={`${location.origin}/api/v1/upload`} />
      <Value label={t('phone.header')} copy={t('phone.copyHeader')} text={`Bearer ${token}`} />
      {system === 'android' && <Value label={t('phone.script')} copy={t('phone.copyScript')} text={SCRIPT} />}
      <ol className={classes.steps}>
        {STEPS[system].map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      <Button size="md" onClick={onDone}>
        {t('phone.done')}
      </Button>
    </section>
  );
}

function Value({ label, copy, text }: { label: string; copy: string; text: string }) {
  return (
    <div>
      <h2>{label}</h2>
      <div className={shared.copyable}>
        <code>{text}</code>
        <CopyButton text={text} label={copy} />
      </div>
    </div>
  );
}
