import { Anchor, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FormFields } from '#api/images/upload.ts';
import { FormDialog } from '#renderer/components/forms/form.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { OptionFields } from '#renderer/upload/options/option-fields.tsx';
import { lacksName } from '#renderer/upload/options/options.ts';
import { useBatchForm, useResolveAlbums } from '#renderer/upload/options/use-batch-form.ts';
import { addressesIn, MAX_ADDRESSES } from './addresses.ts';

interface Props {
  /** A pasted text with addresses; empty: they have yet to be typed. */
  first: string;
  user: number | undefined;
  target: string | undefined;
  withOptions: boolean;
  onStart: (addresses: readonly string[], fields: FormFields) => void;
  onClose: () => void;
}

/** Uploads pictures from the web by their addresses. */
export function AddressDialog({ first, user, target, withOptions, onStart, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState(first);
  const addresses = addressesIn(text);
  const count = addresses?.length ?? 1;
  const form = useBatchForm({ user, target, count });
  const [showsOptions, setShowsOptions] = useState(withOptions);
  const [isInvalid, setInvalid] = useState(false);
  const { options } = form;
  const change = useResolveAlbums(async ([resolved]) => {
    onStart(addresses ?? [], resolved?.fields ?? {});
    onClose();
  });
  const submit = () => {
    setInvalid(!addresses);
    if (!addresses || lacksName(options) || form.addressProblem) return;
    change.mutate({ options, titles: [undefined], keep: form.keep });
  };
  return (
    <FormDialog
      title={t(first ? 'batch.pasted' : 'batch.fromWeb', { count })}
      submit={t('nav.upload')}
      change={change}
      changed={text !== first || form.changed}
      onClose={onClose}
      onSubmit={submit}
    >
      <Textarea
        label={t('batch.address')}
        description={t('batch.addressHint', { max: MAX_ADDRESSES })}
        placeholder="https://"
        autosize
        minRows={1}
        maxRows={6}
        data-autofocus
        error={isInvalid && !addresses && t('batch.addressInvalid', { max: MAX_ADDRESSES })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      {showsOptions ? (
        <OptionFields options={options} onChange={form.edit} count={count} addressProblem={form.addressProblem} />
      ) : (
        <Anchor component="button" type="button" size="sm" py={2} ta="start" onClick={() => setShowsOptions(true)}>
          {t('batch.options')}
        </Anchor>
      )}
    </FormDialog>
  );
}
