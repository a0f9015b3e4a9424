import StreamMapCommand

RootCommand.main()
