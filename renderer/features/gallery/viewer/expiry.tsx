import { Button, Group, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useExpiryChoices, useExpiryText } from '#renderer/images/expiries.ts';
import { ownEscape } from './own-escape.ts';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** Sets an image's expiry, once the user has read what becomes of the image then. Removing it needs no question. */
export function Expiry({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const format = useFormat();
  const choices = useExpiryChoices();
  const textFor = useExpiryText();
  const [chosen, setChosen] = useState<number>();
  const say = (title: string, message: string) => notifications.show({ color: 'petrol.7', title, message, autoClose: 6000 });
  const now = image.expires_at ? [{ value: 'now', label: t('library.onDate', { date: format.moment(image.expires_at) }) }] : [];
  const choose = (value: string | null) => {
    setChosen(undefined);
    if (value === '0' && image.expires_at) change({ expires_in: 0 }, () => say(t('expiry.removed'), t('expiry.removedText')));
    else if (value && value !== 'now' && value !== '0') setChosen(Number(value));
  };
  const save = (seconds: number) => {
    setChosen(undefined);
    change({ expires_in: seconds }, (changed) => changed.expires_at && say(t('expiry.saved'), textFor(changed.expires_at)));
  };
  return (
    <div>
      <Select
        {...ownEscape}
        label={t('details.expires')}
        description={chosen === undefined ? textFor(image.expires_at ?? undefined) : undefined}
        inputWrapperOrder={['label', 'input', 'description']}
        size="sm"
        allowDeselect={false}
        value={chosen === undefined ? (image.expires_at ? 'now' : '0') : String(chosen)}
        data={[...now, ...choices]}
        onChange={choose}
      />
      {chosen !== undefined && (
        <div className={`${classes.hint} ${classes.question}`} role="alert">
          <IconClock size={18} aria-hidden />
          <div className={classes.hintBody}>
            <p>{textFor(new Date(Date.now() + chosen * 1000))}</p>
            <Group gap="xs">
              <Button size="compact-sm" onClick={() => save(chosen)}>
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
