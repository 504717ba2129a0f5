/** electron-builder's hook. False: it shall neither install packages nor look for any, since all of them are in the stage already. */
export default () => false;
