// Names of modules are those of files. By default they are digests, also of the path in which the extension is built.
module.exports = { optimization: { moduleIds: 'named', chunkIds: 'named' } };
