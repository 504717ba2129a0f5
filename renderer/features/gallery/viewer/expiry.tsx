import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import type { Image } from '#api/images/images.ts';
import { type AskedExpiry, askedExpiry, expiryProblem } from '#renderer/components/forms/expiries.ts';
import { ExpiryField } from '#renderer/components/forms/expiry-field.tsx';
import { momentOf } from '#renderer/components/forms/expiry-time.ts';
import { useExpiryChoices, useExpiryText, useMaxExpiry } from '#renderer/components/forms/use-expiry.ts';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** Sets an image's expiry, once the user has read what becomes of the image then. Removing it needs no question. */
export function Expiry({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useExpiryChoices();
  const textFor = useExpiryText();
  const max = useMaxExpiry();
  const [chosen, setChosen] = useState<string>();
  const say = (title: string, message: string) => notifications.show({ color: 'petrol.7', title, message, autoClose: 6000 });
  const now = image.expires_at ? [{ value: 'now', label: t('library.onDate', { date: format.moment(image.expires_at) }) }] : [];
  const asked = chosen === undefined || expiryProblem(chosen, max) ? undefined : askedExpiry(chosen);
  const choose = (value: string) => {
    setChosen(undefined);
    if (value === '0' && image.expires_at) change({ expires_in: 0 }, () => say(t('expiry.removed'), t('expiry.removedText')));
    else if (value !== 'now' && value !== '0') setChosen(value);
  };
  const save = (expiry: AskedExpiry) => {
    setChosen(undefined);
    change(expiry, (changed) => changed.expires_at && say(t('expiry.saved'), textFor(changed.expires_at)));
  };
  return (
    <div>
      <ExpiryField
        fields={ownEscape}
        label={t('details.expires')}
        description={chosen === undefined ? textFor(image.expires_at ?? undefined) : undefined}
        value={chosen ?? (image.expires_at ? 'now' : '0')}
        choices={[...now, ...choices]}
        max={max}
        onChange={choose}
      />
      {asked && (
        <div className={`${classes.hint} ${classes.question}`} role="alert">
          <IconClock size={18} aria-hidden />
          <div className={classes.hintBody}>
            <p>{textFor(momentOf(asked))}</p>
            <Group gap="xs">
              <Button size="compact-sm" onClick={() => save(asked)}>
                {t('expiry.set')}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setChosen(undefined)}>
                {t('common.cancel')}
              </Button>
            </Group>
          </div>
        </div>
      )}
    </div>
  );
}
