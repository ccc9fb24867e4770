// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// Reports a balance of `word` for every address, in an answer of `size` bytes, as a token and as a multi-token. It logs
/// transfers to any given addresses.
contract HostileToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts);

    uint256 private word;
    uint256 private size;

    constructor(uint256 word_, uint256 size_) {
        word = word_;
        size = size_;
    }

    function say(uint256 word_) external {
        word = word_;
    }

    function drop(address[] calldata owners, uint256 amount) external {
        for (uint256 i = 0; i < owners.length; ++i) emit Transfer(address(0), owners[i], amount);
    }

    function dropMany(address owner, uint256 count) external {
        uint256[] memory ids = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) ids[i] = i + 1;
        emit TransferBatch(msg.sender, address(0), owner, ids, ids);
    }

    function balanceOf(address) external view returns (uint256) {
        answer();
    }

    function balanceOf(address, uint256) external view returns (uint256) {
        answer();
    }

    function answer() private view {
        uint256 said = word;
        uint256 length = size;
        assembly {
            mstore(0, said)
            return(0, length)
        }
    }
}

/// The native coin as an ERC-20, as on Celo.
contract CoinToken {
    event Transfer(address indexed from, address indexed to, uint256 amount);

    function balanceOf(address owner) external view returns (uint256) {
        return owner.balance;
    }

    function transfer(address payable to, uint256 amount) external payable {
        require(msg.value == amount);
        (bool sent, ) = to.call{value: amount}("");
        require(sent);
        emit Transfer(msg.sender, to, amount);
    }
}
