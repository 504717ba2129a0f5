import { useTranslation } from 'react-i18next';
import type { ImageLinks } from '#api/images.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { linkIn } from '../../images/links.ts';
import { LINK_FORMATS } from '../../preference-values.ts';
import classes from './link-list.module.css';

interface Props {
  links: ImageLinks;
  /** Of a picture with a view limit there is only its share page: anything else would spend views unseen. */
  limited: boolean;
}

/** The links of a picture that others have shared: in every format, and its share page. */
export function LinkList({ links, limited }: Props) {
  const { t } = useTranslation();
  const rows = limited ? [] : LINK_FORMATS.map((format) => ({ name: t(`links.${format}`), text: linkIn(links, format) }));
  return (
    <ul className={classes.links}>
      {[...rows, { name: t('share.shareLink'), text: links.share_url }].map(({ name, text }) => (
        <li key={name}>
          <div>
            <span className={classes.format}>{name}</span>
            <code title={text}>{text}</code>
          </div>
          <CopyButton text={text} label={t('links.copyAs', { format: name })} />
        </li>
      ))}
    </ul>
  );
}
